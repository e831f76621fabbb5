#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the tree's own rules: layers and bans fail, sizes warn.

Layers come from two places that must agree: the table below says which module may ever use which,
and each module's kw_module(… PUBLIC … USES …) line says what it does use and what it shows.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each module may use, at most. An arrow only points down; api and modeller never meet.
LAYERS = {
    "base": [],
    "access": ["base"],
    "data": ["base"],
    "expr": ["data", "base"],
    "storage": ["base"],
    "engine": ["expr", "storage", "access", "data", "base"],
    "partiql": ["engine", "expr", "data", "base"],
    "api": ["partiql", "engine", "access", "expr", "data", "base"],
    "modeller": ["partiql", "engine", "expr", "data", "base"],
    "client": ["data", "base"],
    "studio": ["api", "modeller", "partiql", "engine", "storage", "access", "data", "base"],
    "server": ["studio", "api", "modeller", "engine", "storage", "access", "data", "base"],
    "cli": ["server", "studio", "client", "api", "modeller", "engine", "storage", "access", "data", "base"],
}

# Inside modeller: a module uses those of its own row and of the rows before it.
MODELLER = [["model"], ["plan"], ["cost"], ["check", "design", "prove", "heat", "program", "sql"], ["interop"]]

# (what it forbids, pattern, paths where it is allowed)
BANS = [
    ("the clock of the machine outside base/clock", r"\bsystem_clock::now\b|\btime\((nullptr|NULL|0)\)|\bgettimeofday\b", r"src/base/|_(test|bench)\.cc$|^tests/|^bench/"),
    ("chance outside base/rng", r"\brandom_device\b", r"src/base/"),
    ("using namespace (literals are welcome)", r"^\s*using\s+namespace\b(?!\s+std::\w*literals)", None),
    ("std::regex (slow, and it recurses over its input)", r"\bstd::w?s?regex\b|#include\s*<regex>", None),
    ("RocksDB outside storage/rocksdb", r"#include\s*[<\"]rocksdb/", r"src/storage/rocksdb/|src/storage/[a-z_]*_(test|bench)\.cc$|^tests/|^bench/"),
    ("Asio outside server", r"#include\s*<asio", r"src/(server|client)/|^bench/"),
    ("simdjson outside base/json.cc", r"#include\s*[<\"]simdjson", r"src/base/json\.cc$"),
    ("a TODO without an issue number", r"\b(TODO|FIXME)\b(?!\(#\d+\))", None),
]
BANNED_NAMES = re.compile(r"(^|_)(utils?|helpers?|common|misc)(_|$)")

FILE_LINES, HEADER_LINES, FUNCTION_LINES = 500, 250, 70


class Module:
    """One kw_module line: its folder, the headers it shows and the modules it uses."""

    def __init__(self, folder, text):
        words = re.sub(r"#[^\n]*", "", text).split()
        self.name, self.folder = words[0], folder
        self.lists = {}
        for word in words[1:]:
            if re.fullmatch(r"[A-Z_]+", word):
                current = self.lists.setdefault(word, [])
            else:
                current.append(word)
        self.public = {f"{folder}/{header}" for header in self.lists.get("PUBLIC", [])}
        self.uses = self.lists.get("USES", [])


def read_modules(root):
    modules = {}
    for path in sorted((root / "src").rglob("CMakeLists.txt")):
        for text in re.findall(r"kw_module\(([^)]*)\)", path.read_text()):
            module = Module(str(path.parent.relative_to(root / "src")), text)
            modules[module.name] = module
    return modules


def owner(modules, path):
    """The module that a path under src/ lies in: the one with the longest folder around it."""
    around = [module for module in modules.values() if path.startswith(module.folder + "/")]
    return max(around, key=lambda module: len(module.folder), default=None)


def check_layers(modules, errors):
    for module in modules.values():
        layer = module.folder.split("/")[0]
        if layer not in LAYERS:
            errors.append(f"src/{module.folder}/CMakeLists.txt: {layer} is in no layer (tools/tidy.py)")
            continue
        for used in module.uses:
            used_layer = used.split("/")[0].split("_")[0]
            if used_layer != layer and used_layer not in LAYERS[layer]:
                errors.append(f"src/{module.folder}/CMakeLists.txt: {layer} may not use {used_layer}")
            if used_layer == layer == "modeller" and not row_of(used) <= row_of(module.name):
                errors.append(f"src/{module.folder}/CMakeLists.txt: {module.name} may not use {used}")


def row_of(module):
    """The row of a module of modeller; one that is in none comes behind all others."""
    name = module.removeprefix("modeller_")
    return next((row for row, names in enumerate(MODELLER) if name in names), len(MODELLER))


def check_includes(modules, path, text, errors):
    module = owner(modules, path)
    if module is None:
        return
    for number, header in includes(text):
        target = owner(modules, header)
        if target is None or target is module:
            continue
        place = f"src/{path}:{number}"
        if is_test(path):
            if target.folder.split("/")[0] not in below(path.split("/")[0]):
                errors.append(f"{place}: {target.name} is not below {module.name}")
        elif target.name not in module.uses:
            errors.append(f"{place}: {module.name} does not use {target.name} (its USES line)")
        if header not in target.public:
            errors.append(f"{place}: {header} is not public (the PUBLIC line of {target.name})")


def is_test(path):
    """Tests may use every module below their own, not only what the module itself uses."""
    return re.search(r"_(test|fuzz|bench)\.cc$|test_support\.(h|cc)$", path) is not None


def below(layer):
    found = {layer}
    for upper in found.copy():
        for lower in LAYERS[upper]:
            found |= below(lower)
    return found


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'#include "([^"]+)"', line)
        if found:
            yield number, found.group(1)


def without_comments_and_texts(text):
    """The code with comments and string contents blanked, line numbers kept."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def types_of(text):
    """The types that a file defines at the scope of a named namespace, with the namespace."""
    names, scopes = [], []
    for line in text.splitlines():
        if opened := re.match(r"(?:inline )?namespace ?([\w:]*) \{", line):
            scopes.append(opened.group(1))
        elif re.match(r"\}\s*// namespace", line) and scopes:
            scopes.pop()
        elif "" not in scopes and (found := re.match(r"(?:struct|class|enum class) (\w+)(?: final)?(?: :[^:].*)? \{", line)):
            names.append("::".join([*scopes, found.group(1)]))
    return names


def check_types(defined, errors):
    """Two types of one name: the linker takes either's functions for both, and says nothing."""
    for name, paths in sorted(defined.items()):
        if len(paths) > 1:
            errors.append(f"{name} is defined in {' and in '.join(sorted(paths))}")


def check_bans(path, text, errors):
    code = without_comments_and_texts(text)
    for what, pattern, allowed in BANS:
        if allowed and re.search(allowed, path):
            continue
        # Includes keep their names only in the text; a TODO stands in a comment.
        searched = text if "TODO" in pattern or "include" in pattern else code
        for found in re.finditer(pattern, searched, re.MULTILINE):
            line = searched.count("\n", 0, found.start()) + 1
            errors.append(f"{path}:{line}: {what}")
    if not text.startswith("// SPDX-License-Identifier: Apache-2.0\n"):
        errors.append(f"{path}:1: the first line is not the SPDX line")
    if path.endswith(".h") and "#pragma once" not in text:
        errors.append(f"{path}: no #pragma once")
    if BANNED_NAMES.search(Path(path).stem):
        errors.append(f"{path}: a name that says nothing; call it after what it does")


def check_sizes(path, text, warnings):
    lines = text.splitlines()
    limit = HEADER_LINES if path.endswith(".h") else FILE_LINES
    if len(lines) > limit and not path.endswith("_test.cc"):
        warnings.append(f"{path}: {len(lines)} lines, more than {limit}")
    for start, length in functions(text):
        if length > FUNCTION_LINES and not path.endswith("_test.cc"):
            warnings.append(f"{path}:{start}: a function of {length} lines, more than {FUNCTION_LINES}")


def functions(text):
    """(first line, lines) of each function, free or in a class; leans on clang-format's indentation."""
    opened = None  # (line, indentation) of the function being read
    outer = (1, 0)  # the last line that could begin one
    for number, line in enumerate(without_comments_and_texts(text).splitlines(), 1):
        indentation = len(line) - len(line.lstrip())
        if opened:
            if line.startswith(" " * opened[1] + "}") and indentation == opened[1]:
                yield opened[0], number - opened[0] + 1
                opened = None
            continue
        if indentation <= 2 and line.strip():
            outer = (number, indentation)
        if re.search(r"\)[^;]*\{$", line):
            opened = outer


def check_tree(root):
    """(number of files, errors, warnings) of the tree at `root`."""
    errors, warnings, defined = [], [], {}
    modules = read_modules(root)
    check_layers(modules, errors)
    files = sorted(path for folder in ("src", "tests", "bench") for path in (root / folder).rglob("*")
                   if path.suffix in (".cc", ".h") and "node_modules" not in path.parts)
    for file in files:
        text = file.read_text()
        path = str(file.relative_to(root))
        if path.startswith("src/"):
            check_includes(modules, path.removeprefix("src/"), text, errors)
            if not is_test(path):
                for name in types_of(text):
                    defined.setdefault(name, set()).add(path)
        check_bans(path, text, errors)
        check_sizes(path, text, warnings)
    check_types(defined, errors)
    return len(files), errors, warnings


def main():
    files, errors, warnings = check_tree(ROOT)
    for warning in warnings:
        print(f"warning: {warning}")
    for error in errors:
        print(f"error: {error}")
    print(f"{files} files, {len(errors)} errors, {len(warnings)} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
