"""Check one sample by the checker of its case, whatever the answer or the checker does.

A checker that breaks costs an outcome that says so, never the run.
"""

import traceback
from collections.abc import Callable, Iterable

from steelyard.checks.calibration import CalibratedChecker
from steelyard.checks.classifier import classified
from steelyard.checks.digests import check_digest
from steelyard.checks.sharing import SharingChecker
from steelyard.errors import SteelyardError
from steelyard.model.case import Case
from steelyard.model.classification import Classification
from steelyard.model.facts import Facts, Outcome
from steelyard.model.sample import Sample
from steelyard.ports import Sandbox
from steelyard.runner.check.checkers import JUDGED_ONLY, Checkers

TRACE_LINES = 20


class Checking:
    """The checks of one process: checkers by language, time limits by the machine; safe for many threads."""

    def __init__(self, sandbox: Sandbox, *, share: bool = True) -> None:
        """Check in a sandbox; with `share`, equal answers to one case are checked once."""
        self._checkers = Checkers(
            sandbox, around=lambda checker: SharingChecker(CalibratedChecker(checker), enabled=share)
        )

    def prepare(self, languages: Iterable[str]) -> None:
        """Make the checkers of some languages; a tool that is missing raises an error here and now."""
        for language in languages:
            if language != JUDGED_ONLY:
                self._checkers.of(language)

    def outcome(self, case: Case, sample: Sample) -> Outcome:
        """Return what a check of a sample saw."""
        if sample.error is not None:
            return broken(sample.error)
        return unbroken(lambda: self._seen(case, sample))

    def _seen(self, case: Case, sample: Sample) -> Outcome:
        if case.language == JUDGED_ONLY:
            return Outcome(facts=Facts(), check_digest=check_digest(JUDGED_ONLY, case))
        seen = self._checkers.of(case.language).check(case, sample.text)
        return classified(case, seen, sample.text, sample.finish_reason)


def unbroken(find: Callable[[], Outcome]) -> Outcome:
    """Return what is found, or, whatever breaks meanwhile, an outcome that says so."""
    try:
        return find()
    except SteelyardError as error:
        return broken(str(error))
    except Exception:  # noqa: BLE001  # a bug in one checker must not take a paid run with it
        lines = traceback.format_exc().splitlines()[-TRACE_LINES:]
        return broken("\n".join(["a bug in Steelyard; please report it:", *lines]))


def broken(detail: str) -> Outcome:
    """Return the outcome of a sample about which nothing is known, since we broke."""
    return Outcome(facts=Facts(classification=Classification.ERROR), detail=detail)
