"""A pytest plug-in: the fixture `steelyard` fails a test if a subject became worse, or is not good enough.

Name it in `conftest.py`: `pytest_plugins = ["steelyard.app.pytest_plugin"]`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest

from steelyard.analysis.gate import DEFAULT_RULE
from steelyard.app.baseline import PLACE
from steelyard.app.gate import gate
from steelyard.app.run_handle import ReportSource, baseline_report
from steelyard.errors import SteelyardError, UserError
from steelyard.model.gate import GateReport
from steelyard.model.members import member
from steelyard.model.options import Errors
from steelyard.model.report import Report, SubjectSummary
from steelyard.model.verdict import GateRule, Inconclusive, Verdict


@contextmanager
def _failing() -> Iterator[None]:
    """Fail the test with the message of an error that the command line would print: it needs no traceback."""
    try:
        yield
    except SteelyardError as error:
        # From None: else pytest shows the error as well.
        raise pytest.fail.Exception(str(error), pytrace=False) from None


class Weighing:
    """Judges runs, reports and outcome files inside a test."""

    @_failing()
    def gate(
        self,
        current: ReportSource,
        *,
        baseline: ReportSource,
        rule: GateRule = DEFAULT_RULE,
        inconclusive: Inconclusive = Inconclusive.FAIL,
        baselines: str = PLACE,
    ) -> GateReport:
        """Fail the test if the current report has become worse; an open verdict fails unless it may pass."""
        found = gate(baseline, current, rule=rule, baselines=baselines)
        choice = member(Inconclusive, inconclusive, option="inconclusive")
        may_pass = choice is Inconclusive.PASS and found.lacks_only_samples
        is_excused = found.verdict is Verdict.INCONCLUSIVE and may_pass
        if found.verdict is not Verdict.PASS and not is_excused:
            _fail(str(found))
        return found

    @_failing()
    def pass_rate(
        self, current: ReportSource, *, at_least: float, model: str | None = None, baselines: str = PLACE
    ) -> Report:
        """Fail the test if a subject passes less often than this, from 0 to 1; `model` names one of them.

        A run that is not finished fails, and so does one with too many errors of ours, as at the gate.
        """
        if not 0 <= at_least <= 1:
            raise UserError(f"`at_least={at_least}`: expected a share from 0 to 1")
        report = baseline_report(current, baselines)
        if report.planned_samples is not None:
            _fail("the run is not finished, so its pass rate is that of a part")
        subjects = [one for one in report.subjects if model in {None, one.model}]
        if not subjects:
            _fail(f"no subject is called {model}; there is {', '.join(one.model for one in report.subjects)}")
        low = [one for one in subjects if one.pass_rate.value is None or one.pass_rate.value < at_least]
        if low:
            names = ", ".join(f"{one.model} ({one.tier}) {_said(one.pass_rate.value)}" for one in low)
            _fail(f"{names}; at least {at_least:g} is wanted")
        broken = [one for one in subjects if _error_share(report, one) > DEFAULT_RULE.max_error_share]
        if broken:
            names = ", ".join(f"{one.model} ({one.tier}) {one.coverage.errored}" for one in broken)
            _fail(f"too many answers ended in errors of ours, which say nothing about a model: {names}")
        return report


@pytest.fixture
def steelyard() -> Weighing:
    """What judges runs, reports and outcome files."""
    return Weighing()


def _error_share(report: Report, subject: SubjectSummary) -> float:
    """Return the share of samples that are left out because we broke; 0 where errors count as failures."""
    errored = subject.coverage.errored if report.settings.errors is Errors.EXCLUDE else 0
    return errored / report.seen_samples_of(subject) if errored else 0.0


def _said(rate: float | None) -> str:
    return "has no pass rate, for want of evidence" if rate is None else f"passes {rate:.3f}"


def _fail(message: str) -> NoReturn:
    pytest.fail(message, pytrace=False)
