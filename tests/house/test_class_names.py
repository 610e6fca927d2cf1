"""One name, one class: a reader who meets a name knows which class it is."""

import ast
from collections import defaultdict

from tests.house.package import python_files


def test_no_public_class_name_is_defined_twice() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for file in python_files("src"):
        for node in ast.walk(file.tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(file.name)

    assert {name: files for name, files in homes.items() if len(files) > 1} == {}
