"""Give an answer the time it needs on this machine: max(stated, 4 times what the reference takes here).

The reference is measured once for each check and host; a slow machine then turns no answer into a timeout.
"""

import json
import os
import platform
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from steelyard.checks.digests import check_digest
from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.facts import Outcome
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


def host_digest() -> str:
    """Return a name for this machine as far as speed goes."""
    with suppress(OSError):
        models = {
            line for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if "model name" in line
        }
        return text_digest(repr((platform.node(), os.cpu_count(), sorted(models))))
    return text_digest(repr((platform.node(), os.cpu_count(), platform.processor())))


class TimeLimits:
    """What references take here, each measured once however many threads ask; a file may remember it."""

    def __init__(self, *, cache: Path | None = None, host: str | None = None) -> None:
        self._cache = cache
        self._host = host or host_digest()
        self._lock = threading.Lock()
        self._known: dict[str, Future[Calibration]] = {}
        for name, seconds in _remembered(cache).items():
            self._known[name] = Future()
            self._known[name].set_result(Calibration(reference_s=seconds))

    def calibration(self, case: Case, measure: Callable[[Case], Outcome]) -> Calibration:
        """Return how long a case's reference takes here; `measure` checks the reference if nobody has yet."""
        if case.reference is None:
            return Calibration()
        name = text_digest(f"{self._host} {check_digest(case.language, case)} {text_digest(case.reference)}")
        future, is_mine = self._claim(name)
        if not is_mine:
            return future.result()
        try:
            future.set_result(_measured(measure(replace(case, timeout_s=case.timeout_s * PATIENCE))))
        except BaseException as error:
            # Whoever waits is told; whoever comes later tries again.
            with self._lock:
                del self._known[name]
            future.set_exception(error)
            raise
        self._remember()
        return future.result()

    def _claim(self, name: str) -> tuple[Future[Calibration], bool]:
        """Return the future of a measurement, and whether the caller is the one to make it."""
        with self._lock:
            found = self._known.get(name)
            if found is not None:
                return found, False
            mine = self._known[name] = Future()
            return mine, True

    def _remember(self) -> None:
        if self._cache is None:
            return
        with self._lock:
            done = {
                name: future.result().reference_s for name, future in self._known.items() if _is_good(future)
            }
            unfinished = self._cache.with_suffix(f".{os.getpid()}")
            unfinished.write_text(json.dumps(done, sort_keys=True), encoding="utf-8")
            unfinished.replace(self._cache)


class CalibratedChecker:
    """A checker that gives each answer the time calibrated for its case; safe to call from many threads."""

    def __init__(self, checker: Checker, *, limits: TimeLimits | None = None) -> None:
        self._checker = checker
        self._limits = limits or TimeLimits()

    def check(self, case: Case, answer: str) -> Outcome:
        """Check an answer under the calibrated limit."""
        found = self._limits.calibration(
            case, lambda patient: self._checker.check(patient, case.reference or "")
        )
        limit_s = found.limit_s(case.timeout_s)
        given = case if limit_s == case.timeout_s else replace(case, timeout_s=limit_s)
        return self._checker.check(given, answer)


def _measured(outcome: Outcome) -> Calibration:
    passed = outcome.facts.classification is Classification.PASS
    return Calibration(
        reference_s=outcome.check_us / 1e6 if passed and outcome.check_us is not None else None
    )


def _is_good(future: Future[Calibration]) -> bool:
    return future.done() and future.exception() is None and future.result().reference_s is not None


def _remembered(cache: Path | None) -> dict[str, float]:
    """Return what the file holds; one that cannot be read is measured anew and written over."""
    if cache is None:
        return {}
    with suppress(OSError, ValueError):
        found = json.loads(cache.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return {
                str(name): float(seconds) for name, seconds in found.items() if isinstance(seconds, float)
            }
    return {}
