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
    operation: str
    path: str  # "" for behaviour, else a place in a shape: "input.Tags[].Key required"
    reason: str
    line: int


def known_differences():
    """The entries of differences.txt: `Operation: sentence` or `Operation path: reason`."""
    found = []
    for number, line in enumerate(DIFFERENCES.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry = re.fullmatch(r"(\w+|\*)(?: ((?:input|output)\S*(?: \w+)?))?: (\S.*)", line)
        if entry is None:
            raise SystemExit(f"{DIFFERENCES.relative_to(ROOT)}:{number}: not `Operation [path]: sentence`")
        found.append(Difference(entry[1], entry[2] or "", entry[3], number))
    return found


# JSON types that a reply may have where the model says so.
JSON_TYPES = {
    "string": str, "blob": str, "boolean": bool, "integer": int, "long": int, "double": (int, float),
    "float": (int, float), "timestamp": (int, float), "list": list, "map": dict, "structure": dict,
}


def check_reply(shapes, name, value, path, seen):
    """Faults of a reply against a shape of the SDKs', as sentences; notes the members' paths in `seen`."""
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
            seen.add(f"{path}.{member}")
            yield from check_reply(shapes, shape["members"][member], inner, f"{path}.{member}", seen)
    elif kind == "list":
        for inner in value:
            yield from check_reply(shapes, shape["member"], inner, f"{path}[]", seen)
    elif kind == "map":
        for inner in value.values():
            yield from check_reply(shapes, shape["value"], inner, path + "{}", seen)


def member_paths(shapes, name, path, above=()):
    """Every member's path below a shape, as check_reply notes them."""
    shape = shapes[name]
    if name == "AttributeValue" or name in above:
        return
    above = (*above, name)
    if shape["type"] == "structure":
        for member, inner in shape["members"].items():
            yield f"{path}.{member}"
            yield from member_paths(shapes, inner, f"{path}.{member}", above)
    elif shape["type"] == "list":
        yield from member_paths(shapes, shape["member"], f"{path}[]", above)
    elif shape["type"] == "map":
        yield from member_paths(shapes, shape["value"], path + "{}", above)
