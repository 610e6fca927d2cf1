"""Let a person rate samples drawn at random, blind to the model, and compare ratings with verdicts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from steelyard.app.view.run_view import RunView, Version
from steelyard.app.view.user import this_user
from steelyard.metrics.judge_agreement import VerdictAgreement, verdict_agreement
from steelyard.model.viewing import Mark, SampleView
from steelyard.store.run.viewing.draw import SamplePlace, Verdicts

QUEUE = 50  # samples
RATINGS = {"right": True, "wrong": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindQueue:
    """How many samples were drawn, how many of them this user has rated, and the next one."""

    total: int
    done: int
    following: SampleView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanAgreement:
    """How far one person's blind ratings agree with the checks or with the judges."""

    author: str
    verdict_of: str
    found: VerdictAgreement


def blind_queue(run: RunView) -> BlindQueue:
    """Return where the user is in the samples to rate."""
    drawn = _drawn(run, run.version)
    rated = {place for (author, place) in _blind_marks(run) if author == this_user()}
    left = [place for place in drawn if place not in rated]
    following = run.sample(left[0].key, left[0].attempt) if left else None
    return BlindQueue(total=len(drawn), done=len(drawn) - len(left), following=following)


def human_agreement(run: RunView) -> list[HumanAgreement]:
    """Compare every person's blind ratings with the checks and the judges; `unclear` is no rating."""
    marks = {key: RATINGS[mark.label] for key, mark in _blind_marks(run).items() if mark.label in RATINGS}
    ended = run.verdicts({place for _, place in marks}) if marks else {}
    return [
        HumanAgreement(author=author, verdict_of=name, found=found)
        for author in sorted({author for author, _ in marks})
        for name, verdict in VERDICTS.items()
        if (
            found := _compared({p: said for (who, p), said in marks.items() if who == author}, ended, verdict)
        )
    ]


VERDICTS: dict[str, Callable[[Verdicts], bool | None]] = {
    "the checks": lambda one: one.passed,
    "the judges": lambda one: one.judged,
}


def _compared(
    said: dict[SamplePlace, bool],
    ended: dict[SamplePlace, Verdicts],
    verdict: Callable[[Verdicts], bool | None],
) -> VerdictAgreement | None:
    both: Iterator[tuple[str, bool, bool]] = (
        (f"{place.key}/{place.attempt}", rating, other)
        for place, rating in sorted(said.items())
        if place in ended and (other := verdict(ended[place])) is not None
    )
    return verdict_agreement(list(both))


def _blind_marks(run: RunView) -> dict[tuple[str, SamplePlace], Mark]:
    """Return the last blind mark of every person on every sample."""
    oldest_first = reversed(run.marks())
    return {
        (mark.author, SamplePlace(mark.key, mark.attempt)): mark for mark in oldest_first if mark.is_blind
    }


@lru_cache(maxsize=8)
def _drawn(run: RunView, version: Version) -> tuple[SamplePlace, ...]:
    del version  # a run that has grown is drawn from again
    return run.drawn(QUEUE)
