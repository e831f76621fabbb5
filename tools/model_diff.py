#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our API with the SDKs' model (tools/sdk_model.json): what differs and is not in
docs/reference/differences.txt fails, and so does an entry there that no longer differs.

Inputs: members, required, types, enums, limits, patterns. Errors: names and where the message stands.
Outputs: every reply of the scenarios.
"""
import argparse
import json
import re
import sys

from model import DIFFERENCES, PROGRAM, ROOT, check_reply, known_differences, our_model, sdk_operations


def compare(shapes, name, ours, path):
    """(path, sentence) for each difference of an input shape; a path ends in a word for what differs."""
    theirs = shapes[name]
    kind = "attribute value" if name == "AttributeValue" else theirs["type"]
    if ours["kind"] != kind:
        yield path + " type", f"{ours['kind']}, not {kind}"
        return
    if kind == "attribute value":
        return
    if kind == "structure" and ours["name"] != name:
        yield path + " name", f"{ours['name']}, not {name}"  # messages show it
    for limit in ("min", "max"):
        # A model without a least length or number says it with 0, or not at all.
        if (ours.get(limit) or 0) != (theirs.get(limit) or 0):
            yield f"{path} {limit}", f"{ours.get(limit)}, not {theirs.get(limit)}"
    if ours.get("pattern") != theirs.get("pattern"):
        yield path + " pattern", f"{ours.get('pattern')}, not {theirs.get('pattern')}"
    if sorted(ours.get("values", [])) != sorted(theirs.get("enum", [])):
        yield path + " enum", f"{sorted(ours.get('values', []))}, not {sorted(theirs.get('enum', []))}"
    if kind == "list":
        yield from compare(shapes, theirs["member"], ours["element"], path + "[]")
    elif kind == "map":
        if "key" in ours:
            yield from compare(shapes, theirs["key"], ours["key"], path + "{key}")
        elif set(shapes[theirs["key"]]) - {"type"}:
            yield path + "{key} max", f"none, not {shapes[theirs['key']]}"
        yield from compare(shapes, theirs["value"], ours["element"], path + "{}")
    elif kind == "structure":
        members, required = theirs["members"], theirs.get("required", [])
        our_members = ours.get("members", {})
        for member in members.keys() - our_members.keys():
            yield f"{path}.{member} member", "we lack it"
        for member in our_members.keys() - members.keys():
            yield f"{path}.{member} member", "the SDKs lack it"
        for member in members.keys() & our_members.keys():
            if our_members[member]["required"] != (member in required):
                yield f"{path}.{member} required", "only with the SDKs" if member in required else "only with us"
            yield from compare(shapes, members[member], our_members[member]["shape"], f"{path}.{member}")


def scenario_replies():
    """(operation, reply, place) for each reply in the scenarios."""
    for path in sorted((ROOT / "tests/scenarios").rglob("*.scn")):
        operation = None
        text = re.sub(r"\n[ \t]+", " ", path.read_text())  # a body may go on in indented lines
        for line in text.splitlines():
            statement, _, rest = line.partition(" ")
            if statement == "call":
                operation = rest.split()[0]
            elif statement == "reply":
                yield operation, json.loads(rest.removeprefix("unordered ")), str(path.relative_to(ROOT))


def error_faults(errors, operations):
    """Our errors that the SDKs would not recognise, or whose message they would not find."""
    for error in errors:
        namespace, _, name = error["type"].partition("#")
        if not namespace.startswith("com.amazonaws.dynamodb"):
            continue  # the framework's, in no model
        shapes = [operation.shapes[name] for operation in operations.values() if name in operation.shapes]
        if not shapes:
            yield f"{name}: no SDK knows this error"
        elif error["message_member"] not in shapes[0]["members"]:
            yield f"{name}: its message is in {list(shapes[0]['members'])}, not in {error['message_member']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?", default=PROGRAM, help="a build's print_model")
    ours = our_model(parser.parse_args().program)
    operations = sdk_operations()
    faults = list(error_faults(ours["errors"], operations))
    found = {}
    for name, row in ours["operations"].items():
        if name not in operations:
            faults.append(f"{name}: the SDKs have no such operation")
            continue
        theirs = operations[name]
        if row["target"] != theirs.target:
            faults.append(f"{name}: its target begins with {row['target']}, not {theirs.target}")
        found |= {(name, path): what for path, what in compare(theirs.shapes, theirs.input, row["input"], "input")}
    for name, reply, place in scenario_replies():
        if name in operations and operations[name].output:
            for fault in check_reply(operations[name].shapes, operations[name].output, reply, "output", set()):
                faults.append(f"{name}: {fault} ({place})")
    known = {(entry.operation, entry.path): entry for entry in known_differences() if entry.path}
    for key in sorted(found.keys() - known.keys()):
        faults.append(f"{key[0]} {key[1]}: {found[key]}")
    for key in sorted(known.keys() - found.keys()):
        faults.append(f"{DIFFERENCES.relative_to(ROOT)}:{known[key].line}: this no longer differs")
    print("\n".join(faults))
    print(f"{len(ours['operations'])} operations compared, {len(known)} known differences in their shapes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
