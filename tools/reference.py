#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/{operations,errors,limits}.md from the program's tables, the SDKs' model and
docs/reference/differences.txt. --check: fails where a page is not what would be written."""
import argparse
import re
import sys

from model import PROGRAM, ROOT, known_differences, our_model, sdk_operations

FOLDER = ROOT / "docs/reference"
MADE = "<!-- made by tools/reference.py: do not edit -->\n"
STREAMS = "DynamoDBStreams_20120810."


def operations_page(ours, sdk):
    known = known_differences()
    have = ours["operations"].keys() & sdk.keys()
    lines = [
        "# Operations", "", MADE,
        f"Every operation of the newest AWS SDKs: {len(have)} of {len(sdk)} are there"
        + ("." if len(have) == len(sdk) else "; the others answer `UnknownOperationException`."), "",
        "*Access* says how a call runs: a *read* changes nothing, a *write* is answered once it is on disk, *control* "
        "may wait for the disk in between. *Errors* are those that the SDKs have classes for; any operation may also "
        "answer ValidationException, SerializationException, AccessDeniedException and the errors of "
        "[signatures](errors.md).", "",
        "| operation | access | errors |", "|---|---|---|",
    ]
    for name, operation in sorted(sdk.items()):
        access = ours["operations"].get(name, {}).get("access", "**not there**")
        label = name + (" (streams)" if operation.target == STREAMS else "")
        lines.append(f"| {label} | {access} | {', '.join(sorted(operation.errors))} |")
    lines += ["", "## Differences from AWS", "", "What is known to differ in behaviour.", "",
              "| operation | difference |", "|---|---|"]
    lines += [f"| {'every one' if entry.operation == '*' else entry.operation} | {entry.reason} |"
              for entry in known if not entry.path and not entry.member]
    lines += ["", "## Requests that are checked otherwise than the SDKs' model says", "",
              "| operation | place | why |", "|---|---|---|"]
    lines += [f"| {entry.operation} | `{entry.path}` | {entry.reason} |" for entry in known if entry.path]
    lines += ["", "## Members that no answer of the tests has", "", "| structure and member | why |", "|---|---|"]
    lines += [f"| `{entry.member}` | {entry.reason} |" for entry in known if entry.member]
    return lines


def errors_page(ours, sdk):
    by_error = {}
    for name, operation in sdk.items():
        for error in operation.errors:
            by_error.setdefault(error, []).append(name)
    lines = [
        "# Errors", "", MADE,
        "Every error that the program answers: what clients find in `__type`, after the `#`, with the HTTP status and "
        "the member that holds the message.", "",
        "| error | status | namespace | message in |", "|---|---|---|---|",
    ]
    for error in sorted(ours["errors"], key=lambda error: error["type"].partition("#")[2]):
        namespace, _, name = error["type"].partition("#")
        lines.append(f"| {name} | {error['status']} | {namespace} | `{error['message_member']}` |")
    answered = {error["type"].partition("#")[2] for error in ours["errors"]}
    missing = sorted(by_error.keys() - answered)
    if not missing:
        return lines
    lines += ["", "## Errors that are not answered yet", "", "| error | operations |", "|---|---|"]
    lines += [f"| {name} | {', '.join(sorted(by_error[name]))} |" for name in missing]
    return lines


def limits_page():
    """The constants of src/data/limits.h, with what their names and comments say."""
    lines = ["# Limits", "", MADE,
             "Every limit of the service that the program enforces. Source, unless said: AWS Developer Guide, \"Quotas in "
             "Amazon DynamoDB\".", "", "| limit | value | |", "|---|---|---|"]
    text = (ROOT / "src/data/limits.h").read_text()
    for name, value, comment in re.findall(r"inline constexpr [\w:]+ k(\w+) =\s*([^;]+);(?:[ \t]*// ?(.*))?", text):
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
        number = eval(re.sub(r"std::int64_t\{(\w+)\}", r"\1", value))  # our own header's arithmetic
        lines.append(f"| {words[0] + words[1:].lower()} | {number:,} | {comment} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("program", nargs="?", default=PROGRAM, help="a build's print_model")
    arguments = parser.parse_args()
    ours, sdk = our_model(arguments.program), sdk_operations()
    pages = {"operations.md": operations_page(ours, sdk), "errors.md": errors_page(ours, sdk), "limits.md": limits_page()}
    stale = []
    for name, lines in pages.items():
        path, text = FOLDER / name, "\n".join(lines) + "\n"
        if path.exists() and path.read_text() == text:
            continue
        stale.append(name)
        if not arguments.check:
            path.write_text(text)
    if arguments.check and stale:
        print(f"docs/reference: {', '.join(stale)} not up to date: run tools/reference.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
