#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tidy.py must pass a small clean tree, and fail it once for each rule that is broken."""
import tempfile
import unittest
from pathlib import Path

import tidy

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
CLEAN = {
    "src/base/CMakeLists.txt": "kw_module(base\n  PUBLIC text.h\n  SOURCES text.cc)\n",
    "src/base/text.h": SPDX + "#pragma once\n",
    "src/base/text.cc": SPDX + '#include "base/text.h"\n#include "base/inner.h"\n',
    "src/base/inner.h": SPDX + "#pragma once\n",
    "src/expr/CMakeLists.txt": "kw_module(expr\n  PUBLIC tree.h\n  SOURCES tree.cc\n  USES base)\n",
    "src/expr/tree.h": SPDX + '#pragma once\n#include "base/text.h"\n',
    "src/expr/tree.cc": SPDX + '// system_clock::now is only named here\nconst char* text = "using namespace std";\n',
    "src/storage/CMakeLists.txt": "kw_module(storage\n  PUBLIC store.h\n  USES base)\n",
    "src/storage/store.h": SPDX + "#pragma once\n",
}


def errors_with(changes):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in (CLEAN | changes).items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tidy.check_tree(Path(folder))[1]


class TidyTest(unittest.TestCase):
    def test_a_clean_tree_passes(self):
        self.assertEqual(errors_with({}), [])

    def test_each_broken_rule_is_found(self):
        twice = SPDX + "#pragma once\nnamespace kw {\nstruct Token {\n};\n}  // namespace kw\n"
        breaches = {
            "a type of a name twice": ({"src/base/inner.h": twice, "src/expr/tree.h": twice}, "kw::Token is defined in"),
            "a layer upwards": ({"src/base/CMakeLists.txt": "kw_module(base\n  PUBLIC text.h\n  USES expr)\n"}, "may not use expr"),
            "a layer beside": ({"src/expr/CMakeLists.txt": "kw_module(expr\n  PUBLIC tree.h\n  USES base storage)\n"}, "may not use storage"),
            "a module of modeller before its turn": ({"src/modeller/plan/CMakeLists.txt": "kw_module(modeller_plan\n  USES modeller_model modeller_prove)\n"}, "may not use modeller_prove"),
            "a header of a module not used": ({"src/expr/tree.h": SPDX + '#pragma once\n#include "storage/store.h"\n'}, "does not use storage"),
            "a header that is not public": ({"src/expr/tree.cc": SPDX + '#include "base/inner.h"\n'}, "is not public"),
            "the machine's clock": ({"src/expr/tree.cc": SPDX + "auto now = std::chrono::system_clock::now();\n"}, "clock"),
            "chance": ({"src/expr/tree.cc": SPDX + "std::random_device device;\n"}, "chance"),
            "using namespace": ({"src/expr/tree.cc": SPDX + "using namespace std;\n"}, "using namespace"),
            "regex": ({"src/expr/tree.cc": SPDX + "#include <regex>\n"}, "regex"),
            "rocksdb": ({"src/expr/tree.cc": SPDX + "#include <rocksdb/db.h>\n"}, "RocksDB"),
            "asio": ({"src/expr/tree.cc": SPDX + "#include <asio.hpp>\n"}, "Asio"),
            "simdjson": ({"src/base/text.cc": SPDX + "#include <simdjson.h>\n"}, "simdjson"),
            "a TODO": ({"src/expr/tree.cc": SPDX + "// TODO: later\n"}, "TODO"),
            "no licence": ({"src/expr/tree.cc": "int x;\n"}, "SPDX"),
            "no pragma": ({"src/expr/tree.h": SPDX}, "pragma once"),
            "a test of what lies above": ({"src/base/text_test.cc": SPDX + '#include "expr/tree.h"\n'}, "is not below"),
            "a name that says nothing": ({"src/expr/tree_utils.cc": SPDX}, "says nothing"),
        }
        for name, (changes, expected) in breaches.items():
            with self.subTest(name):
                errors = errors_with(changes)
                self.assertEqual(len(errors), 1, errors)
                self.assertIn(expected, errors[0])

    def test_functions_are_measured(self):
        body = "  int x;\n" * 80
        text = f"int F(int a,\n      int b) {{\n{body}}}\n\nclass C {{\n  int G() const {{\n{body}  }}\n}};\n"
        self.assertEqual(list(tidy.functions(text)), [(1, 83), (86, 82)])


if __name__ == "__main__":
    unittest.main()
