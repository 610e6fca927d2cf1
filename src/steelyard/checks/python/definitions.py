"""Take from the code before every answer, such as a prompt, what tests may use: its complete definitions."""

import ast
from functools import lru_cache


@lru_cache(maxsize=1024)
def complete(prefix: str) -> str:
    r"""Return a source without its last statement, if the answer goes on with that.

    >>> complete("import math\ndef double(x):\n    return 2 * x\ndef area(r):\n    'The area.'\n")
    'import math\ndef double(x):\n    return 2 * x\n'
    """
    lines = prefix.splitlines(keepends=True)
    while lines:
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:
            _drop_last_statement(lines)
            continue
        if not tree.body or not _is_stub(tree.body[-1]):
            break
        _drop_last_statement(lines)
    return "".join(lines)


def _is_stub(node: ast.stmt) -> bool:
    """Whether this is a function of which there is only the description: the answer goes on with its body."""
    body = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else [node]
    return all(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in body)


def _drop_last_statement(lines: list[str]) -> None:
    """Cut a source before its last line that begins in the first column, and the decorators above it."""
    line = lines.pop()
    while lines and not line[:1].strip():
        line = lines.pop()
    while lines and lines[-1].startswith("@"):
        lines.pop()
