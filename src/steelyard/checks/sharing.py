"""Check equal answers to one case once, and let the others share the outcome.

Models repeat themselves, and a check may take seconds. What was shared is counted; it can be switched off.
"""

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import replace

from steelyard.checks.digests import check_digest
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.sample import text_digest
from steelyard.ports import Checker

REMEMBERED = 10_000  # outcomes; each may hold a few KiB of messages

Key = tuple[str, str, str, float, int | None, str]


class SharingChecker:
    """A checker around another one that never checks the same answer twice; safe to call from many threads.

    An infrastructure error is never shared: the next equal answer is checked again.
    """

    def __init__(self, checker: Checker, *, enabled: bool = True, remembered: int = REMEMBERED) -> None:
        self._checker = checker
        self._enabled = enabled
        self._remembered = remembered
        self._lock = threading.Lock()
        self._known: OrderedDict[Key, Future[Outcome | None]] = OrderedDict()
        self._checked = self._shared = 0

    @property
    def checked(self) -> int:
        """How many answers were really checked."""
        return self._checked

    @property
    def shared(self) -> int:
        """How many answers got the outcome of an equal one."""
        return self._shared

    def check_anew(self, case: Case, answer: str) -> Outcome:
        """Check an answer, whether or not an equal one was checked before; nothing is remembered."""
        return self._checker.check(case, answer)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of an equal answer to the same case, or check this one."""
        if not self._enabled:
            return self._check(case, answer)
        limits = case.timeout_s, case.memory_mb  # no part of the digest
        key = (case.suite, case.id, check_digest(case.language, case), *limits, text_digest(answer))
        while True:
            future, is_mine = self._claim(key)
            if is_mine:
                return self._first(key, future, case, answer)
            outcome = future.result()
            if outcome is not None:
                with self._lock:
                    self._shared += 1
                return replace(outcome, is_repeat=True)

    def _claim(self, key: Key) -> tuple[Future[Outcome | None], bool]:
        """Return the future of an outcome, and whether the caller is the one to find it out."""
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
                return found, False
            mine = self._known[key] = Future()
            return mine, True

    def _first(self, key: Key, mine: Future[Outcome | None], case: Case, answer: str) -> Outcome:
        """Check an answer for all who wait for it; without evidence, one of them goes next."""
        outcome = None
        try:
            outcome = self._check(case, answer)
        finally:
            is_evidence = outcome is not None and outcome.facts.classification is not Classification.ERROR
            with self._lock:
                if not is_evidence:
                    self._known.pop(key, None)
                while len(self._known) > self._remembered:
                    self._known.popitem(last=False)
            mine.set_result(outcome if is_evidence else None)
        return outcome

    def _check(self, case: Case, answer: str) -> Outcome:
        outcome = self._checker.check(case, answer)
        with self._lock:
            self._checked += 1
        return outcome
