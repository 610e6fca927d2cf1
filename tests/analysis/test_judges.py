"""What a report says about judges: who, how far they agree, what it took."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from steelyard.analysis.judges import judges_summary, judges_warnings
from steelyard.model.estimate import Reason
from steelyard.model.judgement import Judgement, Reading
from steelyard.model.report_runs import JudgedSubject
from steelyard.model.run import RunJudges
from steelyard.model.sample import SampleKey
from steelyard.store.run.judgements import JudgingOfRun

JUDGES = RunJudges(models=("a/one", "b/two"), rubric="r", rubric_digest="d" * 32, pass_threshold="7/10")


def reading(judge: str, *ratings: int, **changes: object) -> Reading:
    given = tuple(map(Fraction, ratings))
    base = {"ratings": given, "score": sum(given, Fraction(0)) / len(given), "cost_nano_usd": 1_000}
    return Reading(judge=judge, number=0, **{**base, **changes})  # type: ignore[arg-type]  # named as the fields are


def judging(*answers: Sequence[Reading], **changes: object) -> JudgingOfRun:
    """Return what judges said about different answers, one list of readings each."""
    sample = {
        SampleKey("m", "T0", "s", f"c{place}", "d", 0): Judgement(
            rubric="r", rubric_digest="d", readings=tuple(readings), score=readings[0].score
        )
        for place, readings in enumerate(answers)
    }
    counts = JudgingOfRun(
        answers=len(sample),
        replies=sum(map(len, answers)),
        unusable=0,
        disagreeing=0,
        totals_off=0,
        cost_nano_usd=4_000,
        unusable_by_judge={},
        missing_by_judge={},
        subjects=(),
        sample=sample,
    )
    return replace(counts, **changes)  # type: ignore[arg-type]  # named as the fields are


def pairs_of(*pairs: tuple[int, int]) -> JudgingOfRun:
    return judging(*[(reading("a/one", one), reading("b/two", two)) for one, two in pairs])


def test_what_was_counted_is_told_and_agreement_is_that_of_the_sample() -> None:
    subject = JudgedSubject(
        model="m", tier="T0", answers=7, unrated=0, disagreeing=2, saw_tampering=0, unusable=3
    )
    alike = (reading("a/one", 1, 0), reading("b/two", 1, 0))

    found = judges_summary(
        judging(
            alike,
            alike,
            answers=7,
            unusable=3,
            disagreeing=2,
            unusable_by_judge={"b/two": 3},
            missing_by_judge={"b/two": 1},
            subjects=(subject,),
        ),
        JUDGES,
        level=0.95,
    )

    assert (found.answers, found.replies, found.unusable, found.disagreeing) == (7, 4, 3, 2)
    assert (found.unusable_by_judge, found.missing_by_judge) == ({"b/two": 3}, {"b/two": 1})
    assert (found.cost_usd, found.subjects) == (4e-6, (subject,))
    assert (found.compared, found.alpha.value) == (2, 1)
    assert found.verdicts is not None
    assert (found.verdicts.agreement, found.verdicts.passed_by_first) == (1, 0)


def test_an_unknown_cost_stays_unknown() -> None:
    assert (
        judges_summary(judging((reading("a/one", 1),), cost_nano_usd=None), JUDGES, level=0.95).cost_usd
        is None
    )


def test_agreement_over_a_part_of_the_answers_is_said_with_both_numbers() -> None:
    some, every = (
        judges_summary(judging((reading("a/one", 1),), answers=number), JUDGES, level=0.95)
        for number in (12_000, 1)
    )

    [warning] = judges_warnings(some)
    assert warning.startswith(
        "agreement of judges: measured on 1 of 12,000 answers, drawn by a hash of their"
    )
    assert judges_warnings(every) == judges_warnings(replace(some, compared=None)) == ()


def test_one_judge_agrees_with_nobody_else() -> None:
    found = judges_summary(judging((reading("a/one", 1),)), JUDGES, level=0.95)

    assert (found.alpha.value, found.alpha.reason, found.verdicts) == (None, Reason.NOT_MEASURED, None)
    assert found.repeat == {"a/one": None}


def test_each_judge_has_its_own_share_of_passes() -> None:
    pairs = [(1, 1), (1, 0), (1, 0), (0, 0)]

    found = judges_summary(pairs_of(*pairs), JUDGES, level=0.95).verdicts

    assert found is not None
    assert (found.passed_by_first, found.passed_by_second, found.agreement) == (0.75, 0.25, 0.5)
    # Agreement by chance: 3/4 of 1/4 and 1/4 of 3/4, which is 3/8; kappa = (1/2 - 3/8) / (5/8).
    assert abs((found.kappa.value or 0) - 0.2) < 1e-12


def test_an_agreement_has_an_interval_where_the_answers_bound_it_and_else_none() -> None:
    # Three of four answers are rated alike, so that no resample of forty lacks agreement or disagreement.
    pairs = [(0, 0), (1, 1), (1, 0), (1, 1)] * 10

    known, unknown = (judges_summary(pairs_of(*some), JUDGES, level=0.95) for some in (pairs, pairs[:1]))

    [interval] = known.alpha.intervals
    assert interval.low is not None
    assert interval.high is not None
    assert known.alpha.value is not None
    assert interval.low < known.alpha.value < interval.high
    assert unknown.verdicts is not None
    assert unknown.verdicts.kappa.intervals == ()


def test_an_agreement_that_a_redraw_may_leave_undefined_has_no_interval() -> None:
    found = judges_summary(pairs_of((1, 1), (0, 0)), JUDGES, level=0.95)

    # Half of the resample of two answers hold the same answer twice, and nothing to agree on.
    assert (found.alpha.value, found.alpha.intervals) == (1, ())
