#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the fenced blocks of the documentation, page by page, against a server in memory.

Blocks marked sh, python and js are run in the order of the page; a block marked text is what the block
before it must print. `http://localhost:8000` stands for the server under test. Other marks are not run.
"""
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from server import CREDENTIALS, ROOT, memory_server  # noqa: E402

# Each page, and what its server is started with.
PAGES = {
    "README.md": [],
    "docs/start.md": [],
    "docs/guides/access.md": ["--keys", str(ROOT / "examples/access.json")],
    "docs/guides/model.md": [],
}
SCRATCH = ROOT / "build/snippets"
RUN = ("sh", "python", "js")


@dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    expected: str | None = None  # what it must print, if the page says so


def read_blocks(page):
    text = (ROOT / page).read_text()
    blocks = []
    for found in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, found.start()) + 1
        if found.group(1) == "text":
            blocks[-1].expected = found.group(2)
        else:
            blocks.append(Block(page, line, found.group(1), found.group(2)))
    return [block for block in blocks if block.language in RUN]


def tool_folder(tool):
    """The folder that a tool of tools/ prints, or None where it cannot be had."""
    done = subprocess.run([str(ROOT / "tools" / tool)], stdout=subprocess.PIPE, text=True, check=False)
    return Path(done.stdout.strip()) if done.returncode == 0 else None


def run_block(block, endpoint, environment, python, node):
    """(exit code, output, errors) of a block; what an sh block exports is kept for the blocks after it."""
    text = block.text.replace("http://localhost:8000", endpoint)
    state = SCRATCH / "exports.sh"
    if block.language == "sh":
        script = SCRATCH / "block.sh"
        script.write_text(f"set -eu\n. {state}\n{text}\nexport -p >{state}\n")
        command = ["bash", str(script)]
    else:
        script = SCRATCH / ("block.py" if block.language == "python" else "block.mjs")
        script.write_text(text)
        interpreter = python / "python" if block.language == "python" else node / "node"
        command = ["bash", "-c", f'. {state}; exec "$@"', "bash", str(interpreter), str(script)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=SCRATCH,
                          timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def run_page(page, options, python, node):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    # Nothing of the machine's AWS set-up, and no credentials: the page must say all that is needed.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {name: value for name, value in CREDENTIALS.items() if "FILE" in name or name == "AWS_PAGER"}
    environment["PATH"] = f"{python}:{ROOT}/build/release:{environment['PATH']}"
    (SCRATCH / "exports.sh").write_text("")
    with memory_server(*options) as server:
        for block in read_blocks(page):
            if (block.language == "js" and not node) or (block.language != "js" and not python):
                counts["skipped"] += 1
                continue
            status, output, errors = run_block(block, server.endpoint, environment, python, node)
            wrong = status != 0 or (block.expected is not None and output.strip() != block.expected.strip())
            counts["failed" if wrong else "passed"] += 1
            if wrong:
                print(f"{page}:{block.line}: exit code {status}, printed:\n{output}{errors}")
                if block.expected is not None:
                    print(f"but the page says:\n{block.expected}")
    return counts


def main():
    SCRATCH.mkdir(parents=True, exist_ok=True)
    clients = tool_folder("python_clients")
    python = clients / "bin" if clients else None
    modules = ROOT / "tests/conformance/node/node_modules"
    node = tool_folder("node") if modules.exists() else None
    for name, target in (("node_modules", modules), ("examples", ROOT / "examples")):
        link = SCRATCH / name
        if not link.is_symlink():
            link.symlink_to(target)
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for page, options in PAGES.items():
        counts = run_page(page, options, python, node)
        print(f"{page}: {counts['passed']} blocks ran", flush=True)
        total = {name: total[name] + counts[name] for name in total}
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
