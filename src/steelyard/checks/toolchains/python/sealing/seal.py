"""Replace assertions by reports of actual values, so expected values stay outside."""

import ast
import builtins
from collections.abc import Iterator
from itertools import groupby

from steelyard.checks.toolchains.python.sealing.expressions import CELL, Closing, Column, evaluate
from steelyard.checks.toolchains.python.sealing.forms import Forms, LeftOpen, Plan
from steelyard.checks.toolchains.python.sealing.placement import Placement
from steelyard.checks.toolchains.python.sealing.records import Assertion, Check, SealedTests
from steelyard.checks.toolchains.python.sealing.rewriting import (
    Attempt,
    Edit,
    apply_edits,
    assertion_edits,
    column_edits,
    comments_and_docstrings,
)
from steelyard.checks.toolchains.python.sealing.sites import Site, find_sites
from steelyard.checks.toolchains.python.sealing.syntax import Function, Module, called_name, parse_module
from steelyard.checks.toolchains.python.sealing.tables import find_columns

MAX_TEXT = 120


def seal(source: str, *, open_numbers: frozenset[int] = frozenset()) -> SealedTests:
    """Return tests without expected values, and the assertions to decide outside.

    `open_numbers` stay as written.
    """
    sealer = _Sealer(parse_module(source), open_numbers)
    return SealedTests(
        source=apply_edits(sealer.module.source, sealer.edits()),
        assertions=tuple(map(sealer.assertion, sealer.attempts)),
        silent_tests=tuple(sealer.silent_tests()),
    )


class _Sealer:
    def __init__(self, module: Module, open_numbers: frozenset[int]) -> None:
        self.module = module
        self._open_numbers = open_numbers
        self._placement = Placement(module)
        self._sites = find_sites(module)
        self._columns = find_columns(module)
        self.attempts = self._attempt_all()
        while exposed := self._exposed():
            self._columns = {key: column for key, column in self._columns.items() if key not in exposed}
            self.attempts = self._attempt_all()

    def _attempt_all(self) -> list[Attempt]:
        return [self._attempt(number, site) for number, site in enumerate(self._sites)]

    def _attempt(self, number: int, site: Site) -> Attempt:
        closing = Closing(self.module, self._columns)
        reason = "its value is not plain data" if number in self._open_numbers else ""
        reason = reason or ("it always fails" if isinstance(site.part, ast.Constant) else "")
        reason = reason or self._placement.why_not_sealed(site.node)
        try:
            plan = None if reason else Forms(self.module, closing).plan(site)
            for row in closing.column.values if closing.column else [ast.Constant(value=None)]:
                cell = evaluate(ast.unparse(row))
                for expression in plan.expected if plan else ():
                    evaluate(expression, **{CELL: cell})
        except LeftOpen as error:
            plan, reason = None, str(error)
        except Exception as error:  # noqa: BLE001  # an expected value may raise anything
            plan, reason = None, f"its expected value raises {type(error).__name__}"
        return Attempt(number=number, site=site, plan=plan, column=closing.column, why_open=reason)

    def _exposed(self) -> set[tuple[ast.AST, str]]:
        """Return the columns that are also read outside rewritten parts of assertions."""
        removed, kept = set(), set()
        for attempt in self.attempts:
            if attempt.plan is None:
                kept |= _names(attempt.site.part)
                continue
            removed |= _names(attempt.site.node)
            if attempt.plan.method != "raises":
                kept |= _names(attempt.plan.reported)
        removed -= kept
        return {key for key in self._columns if not removed.issuperset(self.module.reads[key])}

    def edits(self) -> Iterator[Edit]:
        """Yield all edits of the source."""
        yield from comments_and_docstrings(self.module)
        for column in self._columns.values():
            yield from column_edits(self.module, column)
        for _, attempts in groupby(self.attempts, key=lambda attempt: attempt.site.node):
            yield from assertion_edits(self.module, [*attempts])

    def assertion(self, attempt: Attempt) -> Assertion:
        """Build the record of an assertion."""
        site, plan = attempt.site, attempt.plan
        return Assertion(
            number=attempt.number,
            line=site.part.lineno,
            text=_shortened(self.module.text(site.part)),
            test=self._placement.test_of(site.node),
            is_unconditional=self._placement.is_unconditional(site.node),
            count_may_vary=self._placement.count_may_vary(site.node),
            check=self._check(plan, attempt.column) if plan else None,
            can_be_guessed=plan is not None and (plan.can_be_guessed or _shows_expected(plan)),
            why_open=attempt.why_open,
        )

    def _check(self, plan: Plan, column: Column | None) -> Check:
        cells = zip(column.nodes, column.values, strict=True) if column else ()
        return Check(
            expression=plan.check,
            reported=_shortened(self.module.text(plan.reported)),
            wording=plan.wording,
            expected=plan.expected[0] if plan.expected else "",
            cells={self.module.span(node)[0]: ast.unparse(value) for node, value in cells},
        )

    def silent_tests(self) -> Iterator[str]:
        """Yield the tests that have no assertion, and no helper with one."""
        asserting = {self._placement.test_of(site.node) for site in self._sites}
        helpers = {name.rpartition(".")[2] for name in asserting}
        for node in self.module.nodes:
            if not isinstance(node, Function) or not node.name.startswith("test"):
                continue
            name = self._placement.test_of(node.body[0])
            names = {getattr(item, "id", getattr(item, "attr", "")) for item in ast.walk(node)}
            if name not in asserting and name.endswith(node.name) and not names & helpers:
                yield name


def _shows_expected(plan: Plan) -> bool:
    """Whether the tests themselves contain the expected constant: `sorted([2, f()])[1] == 2`."""
    return len(plan.expected) == 1 and plan.expected[0] in _own_constants(plan.reported)


def _own_constants(node: ast.AST) -> Iterator[str]:
    """Yield the constants of an expression, except arguments of functions that are not built in."""
    if isinstance(node, ast.Constant):
        yield ast.unparse(node)
    if not isinstance(node, ast.Call) or called_name(node) in vars(builtins):
        for child in ast.iter_child_nodes(node):
            yield from _own_constants(child)


def _names(node: ast.AST) -> set[ast.Name]:
    return {item for item in ast.walk(node) if isinstance(item, ast.Name)}


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
