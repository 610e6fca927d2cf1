"""Collect blind ratings of random samples, and compare them with verdicts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from steelyard.app.view.run_view import RunView, Version, this_user
from steelyard.metrics.judge_agreement import VerdictAgreement, verdict_agreement
from steelyard.model.viewing import Mark, SampleView
from steelyard.store.run.viewing.random_samples import SamplePlace, Verdicts

QUEUE = 50  # samples
RATINGS = {"right": True, "wrong": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindQueue:
    """The user's progress in the random samples, and the next sample."""

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
    places = _random_samples(run, run.version)
    rated = {mark for (author, mark) in _blind_marks(run) if author == this_user()}
    samples = [sample for sample in places if sample not in rated]
    following = run.sample(samples[0].key, samples[0].attempt) if samples else None
    return BlindQueue(total=len(places), done=len(places) - len(samples), following=following)


def human_agreement(run: RunView) -> list[HumanAgreement]:
    """Compare each person's blind ratings, except `unclear`, with checks and judges."""
    marks = {key: RATINGS[mark.label] for key, mark in _blind_marks(run).items() if mark.label in RATINGS}
    ended = run.verdicts({index for _, index in marks}) if marks else {}
    return [
        HumanAgreement(author=author, verdict_of=name, found=result)
        for author in sorted({author for author, _ in marks})
        for name, verdict in VERDICTS.items()
        if (
            result := _compare_ratings(
                {p: text for (who, p), text in marks.items() if who == author}, ended, verdict
            )
        )
    ]


VERDICTS: dict[str, Callable[[Verdicts], bool | None]] = {
    "the checks": lambda item: item.passed,
    "the judges": lambda item: item.judged,
}


def _compare_ratings(
    said: dict[SamplePlace, bool],
    ended: dict[SamplePlace, Verdicts],
    verdict: Callable[[Verdicts], bool | None],
) -> VerdictAgreement | None:
    both: Iterator[tuple[str, bool, bool]] = (
        (f"{index.key}/{index.attempt}", rating, other)
        for index, rating in sorted(said.items())
        if index in ended and (other := verdict(ended[index])) is not None
    )
    return verdict_agreement(list(both))


def _blind_marks(run: RunView) -> dict[tuple[str, SamplePlace], Mark]:
    """Return the last blind mark of every person on every sample."""
    oldest_first = reversed(run.marks())
    return {
        (mark.author, SamplePlace(mark.key, mark.attempt)): mark for mark in oldest_first if mark.is_blind
    }


@lru_cache(maxsize=8)
def _random_samples(run: RunView, version: Version) -> tuple[SamplePlace, ...]:
    del version  # a run that has grown is places from again
    return run.random_samples(QUEUE)
