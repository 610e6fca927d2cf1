"""Rewrite assertions into reports, and remove what may show their expected values."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steelyard.checks.python.sealing.edits import Edit
from steelyard.checks.python.sealing.hidden import Column
from steelyard.checks.python.sealing.plan import Plan
from steelyard.checks.python.sealing.scopes import Function, Module, called_name
from steelyard.checks.python.sealing.sites import Site

REPORTER = "__steelyard__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """A site with its number, and its plan if it is sealed."""

    number: int
    site: Site
    plan: Plan | None
    cell: str = ""  # source of the name whose cell is reported too


def site_edits(module: Module, parts: Sequence[Sealed]) -> Iterator[Edit]:
    """Yield the edits of one statement, whose conjuncts are `parts`."""
    if all(part.plan is None for part in parts):
        yield from _message(module, parts[0].site.node)
        return
    node = parts[0].site.node
    position, end = module.span(node)
    (first, *_) = parts
    if first.plan and first.plan.method == "raises":
        cell = f", {first.cell}" if first.cell else ""
        yield Edit(position, end, f"{REPORTER}.raises({first.number}{cell}", ")")
        return
    if first.plan and first.plan.arguments:
        opening = f"{REPORTER}.caught({first.number}, {first.cell or None}, "
        yield Edit(position, _after_comma(module, *first.plan.arguments), opening)
        return
    closing = ""
    for part in parts:
        start, stop = module.span(part.plan.reported if part.plan else part.site.part)
        opening, next_closing = _frame(part)
        if closing:
            # The line breaks stay inside of the parentheses that are still open.
            yield Edit(position, start, "", f"{closing}; {opening}")
        else:
            yield Edit(position, start, opening)
        position, closing = stop, next_closing
    yield Edit(position, end, "", closing)


def _frame(part: Sealed) -> tuple[str, str]:
    if part.plan is None:
        return "assert (", ")"
    cell = f", {part.cell}" if part.cell else ""
    return f"{REPORTER}.{part.plan.method}({part.number}, (", f"){cell})"


def _message(module: Module, node: ast.Assert | ast.Call) -> Iterator[Edit]:
    """Blank the message of an assertion that stays."""
    options = node.keywords if isinstance(node, ast.Call) else []
    messages = [item.value for item in options if item.arg == "msg"]
    for message in [*messages, node.msg if isinstance(node, ast.Assert) else None]:
        if isinstance(message, ast.Constant | ast.JoinedStr):
            yield Edit(*module.span(message), '(""', ")")


def _after_comma(module: Module, before: ast.expr, after: ast.expr) -> int:
    """Return the offset behind the comma between two arguments."""
    position, (limit, _) = module.span(before)[1], module.span(after)
    while position < limit and module.source[position : position + 1] != b",":
        is_comment = module.source[position : position + 1] == b"#"
        position = module.source.index(b"\n", position) if is_comment else position + 1
    return position + 1


def column_edits(module: Module, column: Column, first: int) -> Iterator[Edit]:
    """Yield the edits that hide a column's values; its cells are numbered from `first`."""
    for number, node in enumerate(column.nodes, first):
        text = "(None" if column.is_constant else f"{REPORTER}.cell({number}"
        yield Edit(*module.span(node), text, ")")
    for name in _row_names(module, column):
        yield Edit(*module.span(name), "(None", ")")


def _row_names(module: Module, column: Column) -> Iterator[ast.expr]:
    """Yield the stated names of a table's rows, which often say what is expected."""
    rows = [module.parents[node] for node in column.nodes]
    decorators = getattr(column.scope, "decorator_list", [])
    for call in (node for part in (*rows, *decorators) for node in ast.walk(part)):
        if isinstance(call, ast.Call) and called_name(call) in {"param", "parametrize"}:
            yield from (option.value for option in call.keywords if option.arg in {"id", "ids"})


def docstrings(module: Module) -> Iterator[Edit]:
    """Yield the edits that blank the docstrings of the module, its tests and their classes."""
    for node in module.nodes:
        match node:
            case ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_]):
                if not module.reads[module.tree, "__doc__"]:
                    yield Edit(*module.span(text), '(""', ")")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                match node.body:
                    case [ast.Expr(value=ast.Constant(value=str()) as text), *_] if _is_test(module, node):
                        yield Edit(*module.span(text), '(""', ")")


def _is_test(module: Module, node: Function | ast.ClassDef) -> bool:
    parent = module.parents[node]
    is_named = "Test" in node.name if isinstance(node, ast.ClassDef) else node.name.startswith("test")
    return is_named and isinstance(parent, ast.Module | ast.ClassDef)
