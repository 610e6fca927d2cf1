"""Aggregate the judgements of a run, with a sample of full ones."""

from collections.abc import Mapping
from dataclasses import dataclass

from steelyard.model.judgement import Judgement, judgement_of
from steelyard.model.report_runs import JudgedSubject
from steelyard.model.sample import SampleKey
from steelyard.store.database import load_sql
from steelyard.store.run.files import reading
from steelyard.store.run.run_store import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOfRun:
    """The aggregated judgements of a run.

    Equal answers to one case share one judgement, and count once, but each for its subject. The cost is None
    if it is unknown for one of the replies. `sample` holds the judgements of different answers, at most as
    many as were wanted, sampled by a hash of their keys: so no model is preferred.
    """

    answers: int
    replies: int
    unusable: int
    disagreeing: int
    totals_off: int
    cost_nano_usd: int | None
    unusable_by_judge: Mapping[str, int]
    missing_by_judge: Mapping[str, int]
    subjects: tuple[JudgedSubject, ...]
    sample: Mapping[SampleKey, Judgement]


def judging_of_run(store: RunStore, *, most: int) -> JudgingOfRun:
    """Return the judgements; `most` limits the full ones."""
    with reading(store.outcomes) as connection:
        connection.execute(load_sql("judged"))
        answers, replies, unusable, disagreeing, totals_off, cost = connection.execute(
            load_sql("judged_first")
        ).fetchall()[0]
        by_judge = connection.execute(load_sql("judged_by")).fetchall()
        subjects = connection.execute(load_sql("judged_subjects"))
        names = [column[0] for column in subjects.description]
        counted = tuple(JudgedSubject(**dict(zip(names, row, strict=True))) for row in subjects.fetchall())
        sampled = connection.execute(load_sql("judged_sample"), {"most": most}).fetchall()
    return JudgingOfRun(
        answers=answers,
        replies=replies,
        unusable=unusable,
        disagreeing=disagreeing,
        totals_off=totals_off,
        cost_nano_usd=cost,
        unusable_by_judge={judge: number for judge, number, _ in by_judge},
        missing_by_judge={judge: number for judge, _, number in by_judge if number},
        subjects=counted,
        sample={SampleKey._make(key): judgement_of(text) for *key, text in sampled},
    )
