#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suites of a built preset and counts single tests; the last line is the sum.

A suite counts what really ran: a GoogleTest binary by the summary it prints, anything else by its closing
line "N passed, N failed, N skipped", or as one test. What failed without naming a failed test, a crash
for one, counts as one failure.
"""
import argparse
import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLOSING_LINE = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


@dataclass
class Counts:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def from_closing_line(output):
    """The counts of the last closing line in `output`, or None."""
    found = CLOSING_LINE.findall(output)
    return Counts(*(int(number or 0) for number in found[-1])) if found else None


def from_googletest(output):
    """The counts of GoogleTest's summary, or None if `output` has none (also when the binary crashed)."""
    passed = re.search(r"^\[  PASSED  \] (\d+) test", output, re.MULTILINE)
    if not passed:
        return None

    def number(pattern):
        found = re.search(pattern, output, re.MULTILINE)
        return int(found.group(1)) if found else 0

    return Counts(int(passed.group(1)), number(r"^\[  FAILED  \] (\d+) test"),
                  number(r"^\[  SKIPPED \] (\d+) test") + number(r"^ *YOU HAVE (\d+) DISABLED TEST"))


def count_ctest_case(case):
    """One CTest entry: a GoogleTest binary, a runner with a closing line, or a single test."""
    if case.get("status") in ("notrun", "disabled"):
        # A test that says so is skipped; one whose program is missing has failed.
        skipped = case.find("skipped")
        asked_for = case.get("status") == "disabled" or "SKIP_" in (skipped.get("message") if skipped is not None else "")
        return Counts(skipped=1) if asked_for else Counts(failed=1)
    failed = case.get("status") == "fail"
    output = case.findtext("system-out") or ""
    counts = from_googletest(output) or from_closing_line(output) or Counts(passed=int(not failed))
    if failed and counts.failed == 0:
        counts.failed = 1
    return counts


def run_ctest(preset, only, exclude):
    report = ROOT / "build" / preset / "ctest.xml"
    report.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(report.parent), "--output-on-failure", "--output-junit", str(report),
               "--test-output-size-passed", "1000000", "--test-output-truncation", "head", "--timeout", "300",
               "-j", str(os.cpu_count()), "--no-tests=error"]
    command += ["-R", only] if only else []
    command += ["-LE", exclude] if exclude else []
    status = subprocess.run(command).returncode
    if not report.exists():
        return Counts(failed=1)
    cases = ElementTree.parse(report).getroot().findall("testcase")
    counts = sum(map(count_ctest_case, cases), Counts())
    if status != 0 and counts.failed == 0:
        counts.failed = 1
    return counts


def run_script(script, preset):
    """A suite outside CTest: shows its output, counts by its closing line."""
    process = subprocess.Popen([str(ROOT / script)], stdout=subprocess.PIPE, text=True, cwd=ROOT,
                               env={**os.environ, "KW_PRESET": preset})
    output = []
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        output.append(line)
    status = process.wait()
    counts = from_closing_line("".join(output)) or Counts(failed=1)
    if status != 0 and counts.failed == 0:
        counts.failed = 1
    return counts


# Beside CTest: each starts the real server, and ends with its closing line.
SCRIPTS = {
    "sdk model": "tools/sdk_model",
    "studio": "web/run_tests",
    "node clients": "tests/conformance/run_node",
    "python clients": "tests/conformance/run_python",
    "tours": "tests/conformance/run_tours",
    "documentation": "tests/docs/run_snippets.py",
    "kill -9": "tests/crash/kill9.py",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="?", default="", help="run what matches this pattern only")
    parser.add_argument("--preset", default="release")
    parser.add_argument("--ctest-only", action="store_true", help="leave out the suites that start a server")
    parser.add_argument("--exclude-label", default="", help="CTest labels to leave out, a pattern")
    arguments = parser.parse_args()

    suites = {"ctest": lambda: run_ctest(arguments.preset, arguments.only, arguments.exclude_label)}
    if not arguments.ctest_only:
        scripts = {name: path for name, path in SCRIPTS.items() if re.search(arguments.only, name)}
        suites |= {name: lambda path=path: run_script(path, arguments.preset) for name, path in scripts.items()}
    total = Counts()
    summary = []
    for name, suite in suites.items():
        print(f"== {name}", flush=True)
        start = time.monotonic()
        counts = suite()
        total += counts
        summary.append(f"{name:16} {time.monotonic() - start:6.1f} s   {counts}")
    print("\n" + "\n".join(summary) + "\n")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
