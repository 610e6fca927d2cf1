"""Take the expected values out of tests: assertions become reports of actual values."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from steelyard.checks.python.sealing.closed import Closing
from steelyard.checks.python.sealing.conditions import Conditions
from steelyard.checks.python.sealing.edits import Edit, apply_edits, comments
from steelyard.checks.python.sealing.evaluate import evaluate
from steelyard.checks.python.sealing.hidden import Column
from steelyard.checks.python.sealing.methods import plan_method
from steelyard.checks.python.sealing.placement import Placement
from steelyard.checks.python.sealing.plan import LeftOpen, Plan, expected_parts
from steelyard.checks.python.sealing.raising import plan_call, plan_context
from steelyard.checks.python.sealing.records import CELL, Assertion, Check, Form, SealedTests
from steelyard.checks.python.sealing.rewriting import Sealed, column_edits, docstrings, site_edits
from steelyard.checks.python.sealing.scopes import Function, Module, called_name
from steelyard.checks.python.sealing.sites import RAISES, Site, find_sites
from steelyard.checks.python.sealing.tables import find_hidden

LONGEST_TEXT = 120


def seal(
    source: str, *, open_numbers: frozenset[int] = frozenset(), answer_names: frozenset[str] = frozenset()
) -> SealedTests:
    """Return tests without expected values, and the assertions to decide outside.

    `open_numbers` stay as written. `answer_names` are defined by the answer in the tests' own module.
    """
    sealer = _Sealer(Module(source, answer_names), open_numbers)
    return SealedTests(
        source=apply_edits(sealer.module.source, sealer.edits()),
        assertions=tuple(sealer.assertions()),
        silent_tests=tuple(sealer.silent_tests()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """The plan of a site with what its expected value uses, or why there is none."""

    plan: Plan | None = None
    closing: Closing | None = None
    why_open: str = ""

    @property
    def column(self) -> Column | None:
        """The table's column whose cells are expected."""
        return self.closing.column if self.closing else None

    @property
    def forms(self) -> frozenset[Form]:
        """The forms of the assertion and of its expected value."""
        return frozenset({self.plan.form, *self.closing.forms}) if self.plan and self.closing else frozenset()


class _Sealer:
    def __init__(self, module: Module, open_numbers: frozenset[int]) -> None:
        self.module = module
        self._open_numbers = open_numbers
        self._placement = Placement(module)
        self._sites = find_sites(module)
        self._hidden = find_hidden(module)
        self._outcomes = self._attempt()
        while self._hidden.drop_exposed(self._removed_reads()):
            self._outcomes = self._attempt()
        self._first_cells = self._number_cells()

    def _attempt(self) -> list[_Outcome]:
        return [self._outcome(number, site) for number, site in enumerate(self._sites)]

    def _outcome(self, number: int, site: Site) -> _Outcome:
        closing = Closing(self.module, self._hidden)
        reason = "its value is not plain data" if number in self._open_numbers else ""
        reason = reason or ("it always fails" if isinstance(site.part, ast.Constant) else "")
        if reason := reason or self._placement.why_not_sealed(site.node):
            return _Outcome(why_open=reason)
        try:
            plan = self._plan(site, closing)
            _try_expected(plan, closing.column)
        except LeftOpen as error:
            return _Outcome(why_open=str(error))
        except Exception as error:  # noqa: BLE001  # whatever evaluating an expected value raises
            return _Outcome(why_open=f"its expected value raises {type(error).__name__}")
        return _Outcome(plan=plan, closing=closing)

    def _plan(self, site: Site, closing: Closing) -> Plan:
        conditions = Conditions(self.module, closing)
        if not isinstance(site.node, ast.Call):
            return conditions.plan(site.part)
        if called_name(site.node) not in RAISES:
            return plan_method(site.node, conditions, closing)
        plan = plan_context if site.is_context else plan_call
        return plan(site.node, self.module, closing)

    def _removed_reads(self) -> set[ast.Name]:
        """Return the reads of names that vanish with the rewritten assertions."""
        removed, kept = set(), set()
        for site, outcome in zip(self._sites, self._outcomes, strict=True):
            if outcome.plan:
                removed |= _names(site.node)
                kept |= _names(*outcome.plan.kept)
            else:
                kept |= _names(site.part)
        return removed - kept

    def _number_cells(self) -> dict[Column, int]:
        first_cells, count = {}, 0
        for column in self._hidden.columns.values():
            first_cells[column] = count
            count += len(column.nodes)
        return first_cells

    def edits(self) -> Iterator[Edit]:
        """Yield all edits of the source."""
        yield from comments(self.module)
        yield from docstrings(self.module)
        for column, first in self._first_cells.items():
            yield from column_edits(self.module, column, first)
        numbered = enumerate(zip(self._sites, self._outcomes, strict=True))
        for _, group in groupby(numbered, key=lambda item: item[1][0].node):
            parts = [
                Sealed(
                    number=number,
                    site=site,
                    plan=outcome.plan,
                    cell=outcome.column.name if outcome.column else "",
                )
                for number, (site, outcome) in group
            ]
            yield from site_edits(self.module, parts)

    def assertions(self) -> Iterator[Assertion]:
        """Yield the records of all assertions."""
        for number, (site, outcome) in enumerate(zip(self._sites, self._outcomes, strict=True)):
            plan, column = outcome.plan, outcome.column
            yield Assertion(
                number=number,
                line=site.part.lineno,
                text=_shortened(self.module.text(site.part)),
                test=self._placement.test_of(site.node),
                is_unconditional=self._placement.is_unconditional(
                    site.node, column.table if column else None
                ),
                count_may_vary=self._placement.count_may_vary(site.node),
                check=self._check(plan, column) if plan else None,
                can_be_guessed=plan is not None and (plan.can_be_guessed or _is_shown(plan)),
                why_open=outcome.why_open,
                forms=outcome.forms,
            )

    def _check(self, plan: Plan, column: Column | None) -> Check:
        cells = dict(enumerate(column.values, self._first_cells[column])) if column else {}
        reported = _shortened(self.module.text(plan.reported))
        return Check(expression=plan.check, reported=reported, cells=cells)

    def silent_tests(self) -> Iterator[str]:
        """Yield the tests without any assertion, in their bodies or in helpers that they name."""
        speaking = {self._placement.test_of(site.node) for site in self._sites}
        helpers = {name.rpartition(".")[2] for name in speaking}
        for node in self.module.nodes:
            if not isinstance(node, Function) or not node.name.startswith("test"):
                continue
            name = self._placement.test_of(node.body[0])
            names = {getattr(item, "id", getattr(item, "attr", "")) for item in ast.walk(node)}
            if name not in speaking and name.endswith(node.name) and not names & helpers:
                yield name


def _is_shown(plan: Plan) -> bool:
    """Whether an expected constant stands in what the tests compute, such as `sorted([2, f()])[1] == 2`."""
    expected = expected_parts(plan.check)
    return (
        len(expected) == 1
        and isinstance(expected[0], ast.Constant)
        and expected[0].value in _own_constants(plan.reported)
    )


def _own_constants(node: ast.AST) -> Iterator[object]:
    """Yield the constants of an expression, without the arguments of functions that are not built in."""
    if isinstance(node, ast.Constant):
        yield node.value
    is_builtin = isinstance(node, ast.Call) and called_name(node) in vars(builtins)
    if is_builtin or not isinstance(node, ast.Call):
        for child in ast.iter_child_nodes(node):
            yield from _own_constants(child)


def _try_expected(plan: Plan, column: Column | None) -> None:
    """Leave an assertion open if its expected values cannot be evaluated outside."""
    rows = [evaluate(value, {}) for value in column.values] if column else [None]
    for row in rows:
        for node in expected_parts(plan.check):
            evaluate(node, {CELL: row})


def _names(*nodes: ast.AST) -> set[ast.Name]:
    return {item for node in nodes for item in ast.walk(node) if isinstance(item, ast.Name)}


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
