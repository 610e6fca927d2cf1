"""Scale time limits to this machine: max(stated limit, 4 times the reference's run time).

Each process measures a reference once.
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

FACTOR = 4.0  # how much slower than the reference an answer may be
PATIENCE = 10.0  # the reference's own limit, as a multiple of the stated limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Run time of a passing reference on this host; None without one."""

    reference_s: float | None = None

    def limit_s(self, stated_s: float) -> float:
        """Return the time limit of an answer.

        >>> Calibration(reference_s=20.0).limit_s(60.0), Calibration(reference_s=2.0).limit_s(60.0)
        (80.0, 60.0)
        """
        return stated_s if self.reference_s is None else max(stated_s, FACTOR * self.reference_s)


class TimeLimits:
    """Run times of references, each measured once by any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Future[Calibration]] = {}

    def calibration(self, case: Case, measure: Callable[[Case], Outcome]) -> Calibration:
        """Return the calibration of a case; the first call runs `measure`."""
        if case.reference is None:
            return Calibration()
        digest = text_digest(f"{check_digest(case.language, case)} {text_digest(case.reference)}")
        future, is_mine = self._claim(digest)
        if not is_mine:
            return future.result()
        try:
            future.set_result(_measured(measure(replace(case, timeout_s=case.timeout_s * PATIENCE))))
        except BaseException as error:
            # Waiting threads get the error; a later call measures again.
            with self._lock:
                del self._known[digest]
            future.set_exception(error)
            raise
        return future.result()

    def _claim(self, digest: str) -> tuple[Future[Calibration], bool]:
        """Return the future of a measurement, and whether the caller must make it."""
        with self._lock:
            known = self._known.get(digest)
            if known is not None:
                return known, False
            future = self._known[digest] = Future()
            return future, True


class CalibratedChecker:
    """Wraps a checker and applies calibrated time limits; thread-safe."""

    def __init__(self, checker: Checker) -> None:
        self._checker = checker
        self._limits = TimeLimits()

    def check(self, case: Case, answer: str) -> Outcome:
        """Check an answer within the calibrated limit; tasks state their own."""
        if case.task is not None:
            return self._checker.check(case, answer)
        calibration = self._limits.calibration(
            case, lambda patient: self._checker.check(patient, case.reference or "")
        )
        limit_s = calibration.limit_s(case.timeout_s)
        timed = case if limit_s == case.timeout_s else replace(case, timeout_s=limit_s)
        return self._checker.check(timed, answer)


def _measured(outcome: Outcome) -> Calibration:
    passed = outcome.facts.classification is Classification.PASS
    return Calibration(
        reference_s=outcome.check_us / 1e6 if passed and outcome.check_us is not None else None
    )
