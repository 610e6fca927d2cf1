"""A pytest plug-in: the fixture `steelyard` fails a test on a regression or a low pass rate.

Enable it in `conftest.py`: `pytest_plugins = ["steelyard.app.pytest_plugin"]`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from steelyard.analysis.gate_report import DEFAULT_RULE
from steelyard.app.baseline import PLACE, ReportSource, baseline_report
from steelyard.app.gate import gate
from steelyard.errors import SteelyardError, UserError
from steelyard.model.gate import GateReport
from steelyard.model.members import member
from steelyard.model.options import Errors
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.verdict import GateRule, Inconclusive, Verdict


@contextmanager
def _fail_on_errors() -> Iterator[None]:
    """Fail the test with an error's message, without traceback."""
    try:
        yield
    except SteelyardError as error:
        # Otherwise pytest shows the original error too.
        raise pytest.fail.Exception(str(error), pytrace=False) from None


class SteelyardFixture:
    """Gates runs, reports and outcome files inside a test."""

    @_fail_on_errors()
    def gate(
        self,
        current: ReportSource,
        *,
        baseline: ReportSource,
        rule: GateRule = DEFAULT_RULE,
        inconclusive: Inconclusive = Inconclusive.FAIL,
        baselines: str = PLACE,
    ) -> GateReport:
        """Fail the test if the gate fails or is inconclusive, unless that may pass."""
        gate_report = gate(baseline, current, rule=rule, baselines=baselines)
        choice = member(Inconclusive, inconclusive, option="inconclusive")
        may_pass = choice is Inconclusive.PASS and gate_report.lacks_only_samples
        is_excused = gate_report.verdict is Verdict.INCONCLUSIVE and may_pass
        if gate_report.verdict is not Verdict.PASS and not is_excused:
            _fail_test(str(gate_report))
        return gate_report

    @_fail_on_errors()
    def pass_rate(
        self, current: ReportSource, *, at_least: float, model: str | None = None, baselines: str = PLACE
    ) -> Report:
        """Fail the test if a pass rate is too low, the run is unfinished or has too many errors.

        Args:
            current: A run, a report or an outcome file.
            at_least: The lowest accepted pass rate, from 0 to 1.
            model: Only this model.
            baselines: Folder or address of the kept baselines.
        """
        if not 0 <= at_least <= 1:
            raise UserError(f"`at_least={at_least}`: expected a share from 0 to 1")
        report = baseline_report(current, baselines)
        if report.planned_samples is not None:
            _fail_test("the run is not finished, so its pass rate covers only a part")
        subjects = [subject for subject in report.subjects if model in {None, subject.model}]
        if not subjects:
            models = ", ".join(subject.model for subject in report.subjects)
            _fail_test(f"the report has no subject {model}; it has {models}")
        low = [
            subject
            for subject in subjects
            if subject.pass_rate.value is None or subject.pass_rate.value < at_least
        ]
        if low:
            names = ", ".join(
                f"{subject.model} ({subject.tier}) {_format_rate(subject.pass_rate.value)}" for subject in low
            )
            _fail_test(f"{names}; at least {at_least:g} is required")
        broken = [
            subject for subject in subjects if _error_share(report, subject) > DEFAULT_RULE.max_error_share
        ]
        if broken:
            names = ", ".join(
                f"{subject.model} ({subject.tier}) {subject.coverage.errored}" for subject in broken
            )
            _fail_test(f"too many answers ended in infrastructure errors, which are no evidence: {names}")
        return report


@pytest.fixture
def steelyard() -> SteelyardFixture:
    """The fixture that gates runs, reports and outcome files."""
    return SteelyardFixture()


def _error_share(report: Report, subject: SubjectSummary) -> float:
    """Return the share of samples excluded as infrastructure errors."""
    errored = subject.coverage.errored if report.settings.errors is Errors.EXCLUDE else 0
    return errored / report.seen_samples_of(subject) if errored else 0.0


def _format_rate(rate: float | None) -> str:
    return "has no pass rate (no evidence)" if rate is None else f"passes {rate:.3f}"


def _fail_test(message: str) -> NoReturn:
    pytest.fail(message, pytrace=False)
