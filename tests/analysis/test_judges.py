"""What a report says about judges: who, how far they agree, what it took."""

from fractions import Fraction

from steelyard.analysis.judges import judges_summary
from steelyard.model.estimate import Reason
from steelyard.model.judgement import Judgement, Reading
from steelyard.model.run import RunJudges
from steelyard.model.sample import SampleKey
from steelyard.store.run.judgements import Judged

JUDGES = RunJudges(models=("a/one", "b/two"), rubric="r", rubric_digest="d" * 32, pass_threshold="7/10")


def reading(judge: str, *ratings: int, **changes: object) -> Reading:
    given = tuple(map(Fraction, ratings))
    base = {"ratings": given, "score": sum(given, Fraction(0)) / len(given), "cost_nano_usd": 1_000}
    return Reading(judge=judge, number=0, **{**base, **changes})  # type: ignore[arg-type]  # named as the fields are


def judged(place: int, *readings: Reading, is_first: bool = True, **changes: object) -> Judged:
    judgement = Judgement(
        rubric="r",
        rubric_digest="d",
        readings=readings,
        score=readings[0].score,
        **changes,  # type: ignore[arg-type]  # named as the fields are
    )
    return Judged(SampleKey("m", "T0", "s", f"c{place}", "d", 0), judgement, is_first)


def test_equal_answers_count_once_but_each_for_its_subject() -> None:
    both = (reading("a/one", 1, 0), reading("b/two", 1, 0))
    found = judges_summary(
        [judged(0, *both), judged(1, *both, is_first=False), judged(2, *both)], JUDGES, level=0.95
    )

    assert (found.answers, found.replies, found.cost_usd) == (2, 4, 4e-6)
    assert [(one.model, one.answers) for one in found.subjects] == [("m", 3)]
    assert found.alpha.value == 1
    assert found.verdicts is not None
    assert (found.verdicts.agreement, found.verdicts.passed_by_first) == (1, 0)


def test_what_is_wrong_with_replies_is_counted() -> None:
    out_of_form = reading("a/one", 0, ratings=(), score=None, problem="no JSON", cost_nano_usd=None)
    found = judges_summary(
        [
            judged(0, reading("a/one", 1, is_total_off=True, saw_tampering=True), reading("b/two", 1)),
            judged(1, reading("a/one", 1), reading("b/two", 0), disagreements=("range",)),
            judged(2, out_of_form),
        ],
        JUDGES,
        level=0.95,
    )

    assert (found.replies, found.unusable, found.totals_off, found.disagreeing) == (5, 1, 1, 1)
    assert found.cost_usd is None
    (subject,) = found.subjects
    assert (subject.unrated, subject.disagreeing, subject.saw_tampering) == (1, 1, 1)


def test_one_judge_agrees_with_nobody_else() -> None:
    found = judges_summary([judged(0, reading("a/one", 1))], JUDGES, level=0.95)

    assert (found.alpha.value, found.alpha.reason, found.verdicts) == (None, Reason.NOT_MEASURED, None)
    assert found.repeat == {"a/one": None}


def test_each_judge_has_its_own_share_of_passes() -> None:
    pairs = [(1, 1), (1, 0), (1, 0), (0, 0)]
    judgements = [
        judged(place, reading("a/one", one), reading("b/two", two)) for place, (one, two) in enumerate(pairs)
    ]

    found = judges_summary(judgements, JUDGES, level=0.95).verdicts

    assert found is not None
    assert (found.passed_by_first, found.passed_by_second, found.agreement) == (0.75, 0.25, 0.5)
    # Agreement by chance: 3/4 of 1/4 and 1/4 of 3/4, which is 3/8; kappa = (1/2 - 3/8) / (5/8).
    assert abs((found.kappa.value or 0) - 0.2) < 1e-12


def test_an_agreement_has_an_interval_where_the_answers_bound_it_and_else_none() -> None:
    # Three of four answers are rated alike, so that no redraw of forty lacks agreement or disagreement.
    pairs = [(0, 0), (1, 1), (1, 0), (1, 1)] * 10
    many = [
        judged(place, reading("a/one", one), reading("b/two", two)) for place, (one, two) in enumerate(pairs)
    ]

    known, unknown = (judges_summary(some, JUDGES, level=0.95) for some in (many, many[:1]))

    [interval] = known.alpha.intervals
    assert interval.low is not None
    assert interval.high is not None
    assert known.alpha.value is not None
    assert interval.low < known.alpha.value < interval.high
    assert unknown.verdicts is not None
    assert unknown.verdicts.kappa.intervals == ()


def test_an_agreement_that_a_redraw_may_leave_undefined_has_no_interval() -> None:
    both = [
        judged(0, reading("a/one", 1), reading("b/two", 1)),
        judged(1, reading("a/one", 0), reading("b/two", 0)),
    ]

    found = judges_summary(both, JUDGES, level=0.95)

    # Half of the redraws of two answers hold the same answer twice, and nothing to agree on.
    assert (found.alpha.value, found.alpha.intervals) == (1, ())
