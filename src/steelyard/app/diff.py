"""Select two runs' answers to one case."""

from collections.abc import Callable, Sequence

from steelyard.app.run_address import RunAddress
from steelyard.app.show import show_answers
from steelyard.errors import UserError
from steelyard.model.listed_run import ShownAnswer


def diff_answers(
    first: RunAddress,
    second: RunAddress,
    case: str,
    *,
    attempt: int | None = None,
    subject: str | None = None,
) -> tuple[ShownAnswer, ShownAnswer]:
    """Return one answer of each run to a case.

    Without `attempt`, the first pair whose checks ended differently; if none did, the first attempt. Runs
    of one subject each are compared whatever the two are called.
    """
    before = show_answers(first, case, attempt=attempt, subject=subject)
    after = show_answers(second, case, attempt=attempt, subject=subject)
    pairs = _paired(before, after, _subject_and_attempt)
    if not pairs and _subjects(before) == _subjects(after) == 1:
        pairs = _paired(before, after, _attempt)
    if not pairs:
        raise UserError(
            f"the two runs share no answer to {case} by the same model, tier and attempt; name one of them"
        )
    differing = (pair for pair in pairs if pair[0].classification != pair[1].classification)
    return next(differing, pairs[0])


def _subjects(answers: Sequence[ShownAnswer]) -> int:
    return len({(answer.model, answer.tier) for answer in answers})


def _paired(
    before: Sequence[ShownAnswer], after: Sequence[ShownAnswer], key: Callable[[ShownAnswer], object]
) -> list[tuple[ShownAnswer, ShownAnswer]]:
    known = {key(answer): answer for answer in before}
    return [(known[key(answer)], answer) for answer in after if key(answer) in known]


def _subject_and_attempt(answer: ShownAnswer) -> object:
    return answer.model, answer.tier, answer.suite, answer.attempt


def _attempt(answer: ShownAnswer) -> object:
    return answer.suite, answer.attempt
