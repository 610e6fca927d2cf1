"""Detect third-party packages that Python code imports."""

import ast
import sys


def imported_packages(*sources: str) -> tuple[str, ...]:
    r"""Return the packages outside the standard library, sorted; skip sources with syntax errors.

    >>> imported_packages("import os, pandas as pd\nfrom sklearn.svm import SVC")
    ('pandas', 'sklearn')
    """
    names = set[str]()
    for source in sources:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return tuple(sorted(names - sys.stdlib_module_names))
