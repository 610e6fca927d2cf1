"""Give an answer the time it needs on this machine: max(stated, 4 times what the reference takes here).

The reference of a case is measured once in a process, so a slow machine turns no answer into a timeout.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from steelyard.checks.grading.digests import check_digest
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.sample import text_digest
from steelyard.ports import Checker

FACTOR = 4.0  # as much slower than the reference as an answer may be
PATIENCE = 10.0  # how many times the stated limit the reference itself may take


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How long the reference took on this host; None when there is none, or when it did not pass."""

    reference_s: float | None = None

    def limit_s(self, stated_s: float) -> float:
        """Return the time an answer may take.

        >>> Calibration(reference_s=20.0).limit_s(60.0), Calibration(reference_s=2.0).limit_s(60.0)
        (80.0, 60.0)
        """
        return stated_s if self.reference_s is None else max(stated_s, FACTOR * self.reference_s)


class TimeLimits:
    """How long references take on this machine, each measured once, however many threads need it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Future[Calibration]] = {}

    def calibration(self, case: Case, measure: Callable[[Case], Outcome]) -> Calibration:
        """Return how long a case's reference takes here; `measure` checks the reference the first time."""
        if case.reference is None:
            return Calibration()
        name = text_digest(f"{check_digest(case.language, case)} {text_digest(case.reference)}")
        future, is_mine = self._claim(name)
        if not is_mine:
            return future.result()
        try:
            future.set_result(_measured(measure(replace(case, timeout_s=case.timeout_s * PATIENCE))))
        except BaseException as error:
            # Threads that wait get the error; a later call measures again.
            with self._lock:
                del self._known[name]
            future.set_exception(error)
            raise
        return future.result()

    def _claim(self, name: str) -> tuple[Future[Calibration], bool]:
        """Return the future of a measurement, and whether the caller is the one to make it."""
        with self._lock:
            result = self._known.get(name)
            if result is not None:
                return result, False
            mine = self._known[name] = Future()
            return mine, True


class CalibratedChecker:
    """A checker that gives each answer the time calibrated for its case; safe to call from many threads."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._limits = TimeLimits()

    def check(self, case: Case, answer: str) -> Outcome:
        """Check an answer under the calibrated limit."""
        calibration = self._limits.calibration(
            case, lambda patient: self._checker.check(patient, case.reference or "")
        )
        limit_s = calibration.limit_s(case.timeout_s)
        given = case if limit_s == case.timeout_s else replace(case, timeout_s=limit_s)
        return self._checker.check(given, answer)


def _measured(outcome: Outcome) -> Calibration:
    passed = outcome.facts.classification is Classification.PASS
    return Calibration(
        reference_s=outcome.check_us / 1e6 if passed and outcome.check_us is not None else None
    )
