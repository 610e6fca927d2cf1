"""Edit the source of tests: assertions become reports; comments and docstrings are blanked.

Edits replace byte ranges and keep line numbers. Of two that overlap, the first or longer one is applied.
"""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from steelyard.checks.toolchains.python.sealing.expressions import Column
from steelyard.checks.toolchains.python.sealing.forms import Plan
from steelyard.checks.toolchains.python.sealing.sites import Site
from steelyard.checks.toolchains.python.sealing.syntax import Function, Module, called_name

REPORTER = "__steelyard__"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces a range by `before`, the range's line breaks, and `after`."""

    start: int
    end: int
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An assertion with its plan and column, or the reason that it has none."""

    number: int
    site: Site
    plan: Plan | None = None
    column: Column | None = None
    why_open: str = ""

    @property
    def cell(self) -> str:
        """The report's last argument, if the expected value is in a column."""
        return f", {self.column.name}" if self.plan and self.column else ""


def apply_edits(source: bytes, edits: Iterable[Edit]) -> str:
    """Apply all edits to the source."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < position:
            continue
        breaks = b"\n" * (len((source[edit.start : edit.end] + b".").splitlines()) - 1)
        pieces += [source[position : edit.start], edit.before.encode(), breaks, edit.after.encode()]
        position = edit.end
    return b"".join([*pieces, source[position:]]).decode()


def assertion_edits(module: Module, parts: Sequence[Attempt]) -> Iterator[Edit]:
    """Yield the edits of one statement with these conjuncts."""
    first, closing = parts[0], ""
    position, end = module.span(first.site.node)
    if first.plan and first.plan.method == "raises":
        yield Edit(position, end, f"{REPORTER}.raises({first.number}{first.cell}", ")")
    elif not any(part.plan for part in parts):
        for message in _messages(first.site.node):
            yield Edit(*module.span(message), '(""', ")")
    else:
        for part in parts:
            plan = part.plan
            start, stop = module.span(plan.reported if plan else part.site.part)
            opening = f"{REPORTER}.{plan.method}({part.number}, (" if plan else "assert ("
            # After the first conjunct, line breaks stay inside open parentheses.
            texts = ("", f"{closing}; {opening}") if closing else (opening, "")
            yield Edit(position, start, *texts)
            position, closing = stop, f"){part.cell})" if plan else ")"
        yield Edit(position, end, "", closing)


def _messages(node: ast.Assert | ast.Call) -> list[ast.expr]:
    """Return the message of an assertion, if it has one."""
    if isinstance(node, ast.Call):
        messages = [option.value for option in node.keywords if option.arg == "msg"]
    else:
        messages = [node.msg] if node.msg else []
    return [message for message in messages if isinstance(message, ast.Constant | ast.JoinedStr)]


def column_edits(module: Module, column: Column) -> Iterator[Edit]:
    """Yield the edits that hide a column's values; a cell's number is its byte offset."""
    for node in column.nodes:
        start, end = module.span(node)
        yield Edit(start, end, "(None" if column.is_constant else f"{REPORTER}.cell({start}", ")")
    # Row ids often contain the expected value.
    rows = [module.parents[node] for node in column.nodes]
    for call in (
        node for part in (*rows, *getattr(column.scope, "decorator_list", [])) for node in ast.walk(part)
    ):
        if isinstance(call, ast.Call) and called_name(call) in {"param", "parametrize"}:
            names = [option.value for option in call.keywords if option.arg in {"id", "ids"}]
            yield from (Edit(*module.span(name), "(None", ")") for name in names)


def comments_and_docstrings(module: Module) -> Iterator[Edit]:
    """Yield the edits that blank comments and the docstrings of tests."""
    for token in tokenize.generate_tokens(io.StringIO(module.source.decode()).readline):
        if token.type == tokenize.COMMENT:
            start = module.offset(*token.start)
            yield Edit(start, start + len(token.string.encode()))
    for node in module.nodes:
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str()) as text), *_] if _is_test(module, node):
                yield Edit(*module.span(text), '(""', ")")


def _is_test(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.Module):
        return not module.reads[module.tree, "__doc__"]
    is_test = isinstance(node, Function) and node.name.startswith("test")
    is_class = isinstance(node, ast.ClassDef) and "Test" in node.name
    return (is_test or is_class) and isinstance(module.parents[node], ast.Module | ast.ClassDef)
