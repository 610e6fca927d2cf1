"""Add a judgement to the outcome of a check.

The checker's facts are unchanged; without a checker the judgement decides.
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

REFUSED = "refused twice by a judge that rates a known answer to this case"


class _Refused(Exception):
    """A judge rejects an answer or gives no usable reading, perhaps for any answer."""

    def __init__(self, why: str, judgement: Judgement | None = None) -> None:
        super().__init__(why)
        self.judgement = judgement


def judged(case: Case, answer: str, seen: Outcome, *, judge: Judge, known: str = "") -> Outcome:
    """Return the outcome of a check with its judgement.

    After an infrastructure error the answer is not judged. An unreachable judge is an infrastructure error; a
    fatal error, such as a wrong key, is raised. An answer that is refused twice, although a known answer is
    rated, gets the lowest rating: refusals must not exclude it from the score.
    """
    if seen.facts.classification is Classification.ERROR:
        return seen
    try:
        return _outcome(seen, _judge(case, answer, seen, judge), judge)
    except ProviderError as error:
        return _infrastructure_error(seen, error)
    except _Refused as refusal:
        if _rates(case, known, judge):
            return _outcome_of_refused(case, answer, seen, judge)
        return (
            _outcome(seen, refusal.judgement, judge)
            if refusal.judgement
            else _infrastructure_error(seen, refusal)
        )


def _judge(case: Case, answer: str, seen: Outcome, judge: Judge) -> Judgement:
    try:
        judgement = judge.judge(case, answer)
    except ProviderError as error:
        if error.kind != REJECTED or error.is_fatal:
            raise
        raise _Refused(str(error)) from error
    if _facts(seen.facts, judgement).classification is Classification.ERROR:
        raise _Refused(judgement.note, judgement)
    return judgement


def _rates(case: Case, known: str, judge: Judge) -> bool:
    """Whether a judge rates the known answer of a case."""
    if not known.strip():
        return False
    try:
        _judge(case, known, Outcome(facts=Facts()), judge)
    except ProviderError as error:
        if error.is_fatal:
            raise
        return False
    except _Refused:
        return False
    return True


def _outcome_of_refused(case: Case, answer: str, seen: Outcome, judge: Judge) -> Outcome:
    """Judge again; a second refusal gives the lowest rating."""
    try:
        return _outcome(seen, _judge(case, answer, seen, judge), judge)
    except ProviderError as error:
        return _infrastructure_error(seen, error)
    except _Refused as refusal:
        readings = refusal.judgement.readings if refusal.judgement else ()
        lowest = judge.lowest(readings, note=f"{REFUSED}: {refusal}")
        return replace(_outcome(seen, lowest, judge), broke_its_check=True)


def _infrastructure_error(seen: Outcome, error: Exception) -> Outcome:
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
    """Return the digest of a check with its judge."""
    return text_digest(f"{check_digest} {judge.digest}")


def _facts(facts: Facts, judgement: Judgement) -> Facts:
    if facts.classification is not None or facts.passed is not None:
        return replace(facts, impl_rate=judgement.score)
    kind = _kind(judgement)
    rate = None if kind is Classification.ERROR else judgement.score
    return replace(facts, classification=kind, impl_rate=rate)


def _kind(judgement: Judgement) -> Classification:
    """Classify an answer that is assessed only by judges."""
    if judgement.is_passed:
        return Classification.PASS
    if judgement.is_passed is None and (judgement.missing_judges or not judgement.usable):
        return Classification.ERROR  # a judge is missing and may be called again
    # Also if no item applies: irrelevant answers must not be excluded.
    return Classification.FAIL


def _remarks(judgement: Judgement) -> Iterable[str]:
    """Yield remarks about the judgement."""
    unusable = judgement.unusable
    if judgement.note:
        yield f"judge: {judgement.note}"
    if unusable:
        count = f"{len(unusable)} of {len(judgement.readings)} replies are unusable"
        yield f"judge: {count}, the last because {unusable[-1].problem}"
    if scattered := [kind for kind in judgement.disagreements if kind != Disagreement.MISSING_JUDGE]:
        yield f"judge: the readings still disagree ({', '.join(scattered)})"
