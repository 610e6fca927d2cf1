"""How one assertion is sealed: what is reported inside, and what is evaluated outside."""

import ast
from dataclasses import dataclass

from steelyard.checks.python.sealing.records import ACTUAL, Form


class LeftOpen(Exception):
    """An assertion has no form that can be sealed; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The reporter's method, the expression whose value it reports, and the check outside."""

    reported: ast.expr
    check: ast.expr
    form: Form
    method: str = "report"
    can_be_guessed: bool = False
    arguments: tuple[ast.expr, ast.expr] | None = None  # last hidden and first kept argument of a call

    @property
    def kept(self) -> list[ast.AST]:
        """The parts of the assertion that stay inside."""
        if self.method == "raises":
            return []
        if self.arguments is None or not isinstance(self.reported, ast.Call):
            return [self.reported]
        position = self.reported.args.index(self.arguments[1])
        return [*self.reported.args[position:], *self.reported.keywords]


def actual() -> ast.expr:
    """Return the placeholder of the reported value."""
    return ast.Name(id=ACTUAL)


def function(name: str, *arguments: ast.expr, keywords: list[ast.keyword] | None = None) -> ast.expr:
    """Return a call that the evaluator knows."""
    return ast.Call(func=ast.Name(id=name), args=[*arguments], keywords=keywords or [])


def expected_parts(check: ast.AST) -> list[ast.expr]:
    """Return the largest parts of a check that do not need the reported value."""
    if not any(isinstance(node, ast.Name) and node.id == ACTUAL for node in ast.walk(check)):
        return [check] if isinstance(check, ast.expr) else []
    children = [child for child in ast.iter_child_nodes(check) if isinstance(child, ast.expr | ast.keyword)]
    if isinstance(check, ast.Call):
        children = [*check.args, *check.keywords]
    return [part for child in children for part in expected_parts(child)]
