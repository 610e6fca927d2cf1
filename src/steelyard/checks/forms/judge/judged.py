"""Add a judge's word to what a checker saw: how much of what was asked the answer does, in its eyes.

The facts of the checker stay as they are; where there is no checker, the judge alone says whether it passes.
"""

from collections.abc import Iterable
from dataclasses import replace

from steelyard.checks.forms.judge.judge import Judge
from steelyard.errors import REJECTED, ProviderError
from steelyard.metrics.consensus import Disagreement
from steelyard.model.case import Case
from steelyard.model.judgement import Judgement
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.sample import text_digest

OWN_DOING = "refused twice by a judge that rates a known answer to this case"


class _Refused(Exception):
    """A judge does not take an answer, or says nothing of use about it; perhaps it takes no other."""

    def __init__(self, why: str, judgement: Judgement | None = None) -> None:
        super().__init__(why)
        self.judgement = judgement


def judged(case: Case, answer: str, seen: Outcome, *, judge: Judge, known: str = "") -> Outcome:
    """Return the outcome of a check, with the judged rate and the judgement.

    An answer whose check ended in an infrastructure error is not judged. A judge that cannot be reached now
    is an infrastructure error of this answer; a fatal error, such as a wrong key, is raised. An answer that
    is refused twice, while a known one is rated, is worth nothing: it must not leave the score by that.
    """
    if seen.facts.classification is Classification.ERROR:
        return seen
    try:
        return _outcome(seen, _heard(case, answer, seen, judge), judge)
    except ProviderError as error:
        return _unheard(seen, error)
    except _Refused as refusal:
        if _takes(case, known, judge):
            return _outcome_of_refused(case, answer, seen, judge)
        return _outcome(seen, refusal.judgement, judge) if refusal.judgement else _unheard(seen, refusal)


def _heard(case: Case, answer: str, seen: Outcome, judge: Judge) -> Judgement:
    try:
        judgement = judge.judge(case, answer)
    except ProviderError as error:
        if error.kind != REJECTED or error.is_fatal:
            raise
        raise _Refused(str(error)) from error
    if _facts(seen.facts, judgement).classification is Classification.ERROR:
        raise _Refused(judgement.note, judgement)
    return judgement


def _takes(case: Case, known: str, judge: Judge) -> bool:
    """Whether a judge rates a known answer to a case."""
    if not known.strip():
        return False
    try:
        _heard(case, known, Outcome(facts=Facts()), judge)
    except ProviderError as error:
        if error.is_fatal:
            raise
        return False
    except _Refused:
        return False
    return True


def _outcome_of_refused(case: Case, answer: str, seen: Outcome, judge: Judge) -> Outcome:
    """Ask once more; if the answer is refused again, it gets the lowest rating."""
    try:
        return _outcome(seen, _heard(case, answer, seen, judge), judge)
    except ProviderError as error:
        return _unheard(seen, error)
    except _Refused as refusal:
        readings = refusal.judgement.readings if refusal.judgement else ()
        nothing = judge.nothing(readings, note=f"{OWN_DOING}: {refusal}")
        return replace(_outcome(seen, nothing, judge), broke_its_check=True)


def _unheard(seen: Outcome, error: Exception) -> Outcome:
    if isinstance(error, ProviderError) and error.is_fatal:
        raise error
    return replace(seen, facts=Facts(classification=Classification.ERROR), detail=f"judge: {error}")


def _outcome(seen: Outcome, judgement: Judgement, judge: Judge) -> Outcome:
    return replace(
        seen,
        facts=_facts(seen.facts, judgement),
        check_digest=judged_digest(seen.check_digest, judge),
        detail="\n".join([*filter(None, [seen.detail]), *_remarks(judgement)]),
        judgement=judgement,
    )


def judged_digest(check_digest: str | None, judge: Judge) -> str:
    """Return a name for a check with its judge."""
    return text_digest(f"{check_digest} {judge.digest}")


def _facts(facts: Facts, judgement: Judgement) -> Facts:
    if facts.classification is not None or facts.passed is not None:
        return replace(facts, impl_rate=judgement.score)
    kind = _kind(judgement)
    rate = None if kind is Classification.ERROR else judgement.score
    return replace(facts, classification=kind, impl_rate=rate)


def _kind(judgement: Judgement) -> Classification:
    """Return how an answer ended that only judges look at."""
    if judgement.is_passed:
        return Classification.PASS
    if judgement.is_passed is None and (judgement.missing_judges or not judgement.usable):
        return Classification.ERROR  # a judge was not heard, and may be asked again
    # Also if all were heard and nothing applies: an answer does not leave the count by being off the point.
    return Classification.FAIL


def _remarks(judgement: Judgement) -> Iterable[str]:
    """Say what a reader of the rate must know."""
    unusable = judgement.unusable
    if judgement.note:
        yield f"judge: {judgement.note}"
    if unusable:
        count = f"{len(unusable)} of {len(judgement.readings)} replies cannot be used"
        yield f"judge: {count}, the last since {unusable[-1].problem}"
    if scattered := [kind for kind in judgement.disagreements if kind != Disagreement.MISSING_JUDGE]:
        yield f"judge: the readings still disagree ({', '.join(scattered)})"
