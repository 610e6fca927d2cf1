"""Put two answers to one case side by side."""

from pathlib import Path

from steelyard.app.show import show_answers
from steelyard.model.listed_run import ShownAnswer


def diff_answers(
    first: str | Path,
    second: str | Path,
    case: str,
    *,
    attempt: int | None = None,
    subject: str | None = None,
) -> tuple[ShownAnswer, ShownAnswer]:
    """Return one answer of each run to a case.

    Without `attempt`, the first pair whose checks ended differently; if none did, the first attempt.
    """
    before = show_answers(first, case, attempt=attempt, subject=subject)
    after = show_answers(second, case, attempt=attempt, subject=subject)
    by_name = {(one.model, one.tier, one.attempt): one for one in before}
    pairs = [(by_name[name], one) for one in after if (name := (one.model, one.tier, one.attempt)) in by_name]
    differing = (pair for pair in pairs if pair[0].classification != pair[1].classification)
    return next(differing, pairs[0] if pairs else (before[0], after[0]))
