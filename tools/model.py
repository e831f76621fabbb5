# SPDX-License-Identifier: Apache-2.0
"""The service's model as the SDKs know it (sdk_model.json), ours as the program prints it, and the list
of differences that are known: what model_diff, reference and the tours read."""
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIFFERENCES = ROOT / "docs/reference/differences.txt"


@dataclass
class Operation:
    """One operation of the SDKs'; its shapes are names in `shapes`."""
    name: str
    target: str
    input: str
    output: str | None
    errors: list
    shapes: dict = field(repr=False)


def sdk_operations():
    """Operation by name, over all services."""
    model = json.loads((ROOT / "tools/sdk_model.json").read_text())
    return {
        name: Operation(name, target, shapes=part["shapes"], **row)
        for target, part in model.items()
        for name, row in part["operations"].items()
    }


PROGRAM = ROOT / "build/release/tests/print_model"


def our_model(program=PROGRAM):
    """What print_model prints: {"operations": …, "errors": …}."""
    return json.loads(subprocess.run([str(program)], check=True, stdout=subprocess.PIPE, text=True).stdout)


@dataclass
class Difference:
    """One entry of differences.txt, of one of three kinds; its head says where."""
    operation: str  # or *
    path: str  # of a request's shape: "input.Tags[].Key required"
    member: str  # of an answer: "TableDescription.Replicas"
    reason: str
    line: int


def known_differences():
    found = []
    for number, line in enumerate(DIFFERENCES.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = re.fullmatch(r"(\w+|\*)(?:\.(\w+|\*)| (input\S* \w+))?: (\S.*)", line)
        if entry is None:
            raise SystemExit(f"{DIFFERENCES.relative_to(ROOT)}:{number}: none of the three kinds of entries")
        name, member, path, reason = entry.groups()
        found.append(Difference("" if member else name, path or "", f"{name}.{member}" if member else "", reason, number))
    return found


# JSON types that a reply may have where the model says so.
JSON_TYPES = {
    "string": str, "blob": str, "boolean": bool, "integer": int, "long": int, "double": (int, float),
    "float": (int, float), "timestamp": (int, float), "list": list, "map": dict, "structure": dict,
}


def check_reply(shapes, name, value, path, seen):
    """Faults of a reply against a shape of the SDKs', as sentences; adds (structure, member) to `seen`."""
    shape = shapes[name]
    kind = shape["type"]
    if value == "<any>":  # what a scenario leaves open
        return
    if not isinstance(value, JSON_TYPES[kind]) or (kind != "boolean" and isinstance(value, bool)):
        yield f"{path} is {json.dumps(value)[:60]}, not a {kind}"
        return
    if "enum" in shape and value not in shape["enum"]:
        yield f"{path} is {value}, not one of {', '.join(shape['enum'])}"
    if name == "AttributeValue":
        if len(value) != 1 or next(iter(value)) not in shape["members"]:
            yield f"{path} is no attribute value: {json.dumps(value)[:60]}"
    elif kind == "structure":
        for required in shape.get("required", []):
            if required not in value:
                yield f"{path}.{required} is required and absent"
        for member, inner in value.items():
            if member not in shape["members"]:
                yield f"{path}.{member} is no member of {name}"
                continue
            seen.add((name, member))
            yield from check_reply(shapes, shape["members"][member], inner, f"{path}.{member}", seen)
    elif kind == "list":
        for inner in value:
            yield from check_reply(shapes, shape["member"], inner, f"{path}[]", seen)
    elif kind == "map":
        for inner in value.values():
            yield from check_reply(shapes, shape["value"], inner, path + "{}", seen)


def reply_members(operations, errors, without):
    """Every (structure, member) that the answers of these operations, and of their errors the named ones,
    can have. What stands in `without` as "Structure.member" or "Structure.*" is left out, with all below."""
    found = set()

    def walk(shapes, name, visited):
        if name in visited or name == "AttributeValue" or f"{name}.*" in without:
            return
        visited.add(name)
        shape = shapes[name]
        for member, inner in shape.get("members", {}).items():
            if f"{name}.{member}" not in without:
                found.add((name, member))
                walk(shapes, inner, visited)
        for part in ("member", "value"):
            if part in shape:
                walk(shapes, shape[part], visited)

    for operation in operations:
        visited = set()
        for name in (operation.output, *(errors & set(operation.errors))):
            if name:
                walk(operation.shapes, name, visited)
    return found
