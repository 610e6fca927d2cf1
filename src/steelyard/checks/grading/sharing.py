"""Check equal answers to a case once and share the outcome.

Models repeat themselves, and a check may take seconds. Shared outcomes are counted.
"""

import threading
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import replace
from hashlib import blake2b

from steelyard.checks.grading.digests import check_digest
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.model.sample import text_digest
from steelyard.ports import Checker

REMEMBERED = 10_000  # outcomes
LARGEST_DETAIL = 2_000_000  # characters of all their messages

Key = bytes


class SharingChecker:
    """Wraps a checker and checks equal answers once; thread-safe.

    Infrastructure errors are not shared: the next equal answer is checked again.
    """

    def __init__(self, checker: Checker, *, enabled: bool = True, remembered: int = REMEMBERED) -> None:
        self._checker = checker
        self._enabled = enabled
        self._lock = threading.Lock()
        self._pending: dict[Key, Future[Outcome | None]] = {}
        self._known = _RecentOutcomes(remembered)
        self._checked = self._shared = 0

    @property
    def checked(self) -> int:
        """The number of answers checked."""
        return self._checked

    @property
    def shared(self) -> int:
        """The number of answers that shared the outcome of an equal one."""
        return self._shared

    def check_anew(self, case: Case, answer: str) -> Outcome:
        """Check an answer without reading or writing the cache."""
        return self._checker.check(case, answer)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of an equal answer to the case, or check this one."""
        if not self._enabled:
            return self._check(case, answer)
        key = _key(case, answer)
        while True:
            outcome, pending, is_mine = self._claim(key)
            if is_mine:
                return self._first(key, pending, case, answer)
            outcome = outcome or pending.result()
            if outcome is not None:
                with self._lock:
                    self._shared += 1
                return replace(outcome, is_repeat=True)

    def _claim(self, key: Key) -> tuple[Outcome | None, Future[Outcome | None], bool]:
        """Return a known outcome, or a future and whether the caller must check the answer."""
        with self._lock:
            outcome = self._known.get(key)
            is_mine = outcome is None and key not in self._pending
            future = self._pending.get(key) or Future()
            if is_mine:
                self._pending[key] = future
            return outcome, future, is_mine

    def _first(self, key: Key, mine: Future[Outcome | None], case: Case, answer: str) -> Outcome:
        """Check an answer for all waiting threads; after an error, one of them retries."""
        outcome = None
        try:
            outcome = self._check(case, answer)
        finally:
            is_evidence = outcome is not None and outcome.facts.classification is not Classification.ERROR
            with self._lock:
                del self._pending[key]
                if outcome is not None and is_evidence:
                    self._known.add(key, outcome)
            mine.set_result(outcome if is_evidence else None)
        return outcome

    def _check(self, case: Case, answer: str) -> Outcome:
        outcome = self._checker.check(case, answer)
        with self._lock:
            self._checked += 1
        return outcome


def _key(case: Case, answer: str) -> Key:
    limits = case.timeout_s, case.memory_mb  # not part of the digest
    parts = (case.suite, case.id, check_digest(case.language, case), *limits, text_digest(answer))
    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=16).digest()


class _RecentOutcomes:
    """A least-recently-used cache of outcomes, limited by number and size of messages."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._outcomes: OrderedDict[Key, Outcome] = OrderedDict()
        self._details = 0  # characters

    def get(self, key: Key) -> Outcome | None:
        """Return an outcome and mark it as recently used."""
        if key in self._outcomes:
            self._outcomes.move_to_end(key)
        return self._outcomes.get(key)

    def add(self, key: Key, outcome: Outcome) -> None:
        """Add an outcome and evict the least recently used ones."""
        self._outcomes[key] = outcome
        self._details += len(outcome.detail)
        while len(self._outcomes) > self._most or self._details > LARGEST_DETAIL:
            _, oldest = self._outcomes.popitem(last=False)
            self._details -= len(oldest.detail)
