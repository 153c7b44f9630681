# SPDX-License-Identifier: MIT
"""No test hides another one: of two definitions with one name, Python runs the last."""
import ast
import collections
import pathlib
import unittest


def doubled(tree):
    """Names that are defined more than once in one class or module, with the last line."""
    for scope in ast.walk(tree):
        if not isinstance(scope, (ast.Module, ast.ClassDef)):
            continue
        defined = [node for node in scope.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        count = collections.Counter(node.name for node in defined)
        yield from (f"{node.name}, line {node.lineno}" for node in defined if count[node.name] > 1)


class Names(unittest.TestCase):
    def test_are_used_once(self):
        files = sorted(pathlib.Path(__file__).parents[1].rglob("*_test.py"))
        self.assertIn(pathlib.Path(__file__), files)
        for file in files:
            self.assertEqual(list(doubled(ast.parse(file.read_text(encoding="utf-8")))), [], file)


if __name__ == "__main__":
    unittest.main()
