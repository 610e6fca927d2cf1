"""How far judges agree with each other and with themselves."""

from fractions import Fraction
from random import Random

from krippendorff import alpha as oracle

from steelyard.metrics.judge_agreement import judge_agreement
from steelyard.model.judgement import Judgement, Reading

THRESHOLD = Fraction(7, 10)


def reading(judge: str, *ratings: float | None, problem: str = "") -> Reading:
    """Return a reading whose score is the mean of its ratings."""
    given = tuple(None if one is None else Fraction(str(one)) for one in ratings)
    known = [one for one in given if one is not None]
    score = sum(known, Fraction(0)) / len(known) if known else None
    return Reading(judge=judge, number=0, ratings=given, score=score, problem=problem)


def judged(*readings: Reading) -> Judgement:
    """Return a judgement of some readings."""
    return Judgement(rubric="r", rubric_digest="d", readings=readings)


def named(*judgements: Judgement) -> dict[str, Judgement]:
    """Name judgements by their place."""
    return {str(place): one for place, one in enumerate(judgements)}


def test_alpha_is_that_of_the_items_over_all_answers() -> None:
    rng = Random(3)
    grid = [[[rng.randrange(21) / 20 for _ in range(4)] for _ in range(3)] for _ in range(30)]
    judgements = named(
        *(judged(*(reading(f"j{number}", *row) for number, row in enumerate(rows))) for rows in grid)
    )

    found = judge_agreement(judgements, threshold=THRESHOLD)

    table = [[rating for rows in grid for rating in rows[judge]] for judge in range(3)]
    assert found.alpha is not None
    assert abs(found.alpha - oracle(reliability_data=table, level_of_measurement="interval")) < 1e-9
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert found.interval.low < found.alpha < found.interval.high
    assert found.verdicts is None  # three judges


def test_a_judges_readings_are_averaged_before_it_is_compared_with_another() -> None:
    alone = judge_agreement(
        named(
            judged(reading("a", 0.5), reading("b", 0.5)),
            judged(reading("a", 1), reading("b", 1)),
        ),
        threshold=THRESHOLD,
    )
    averaged = judge_agreement(
        named(
            judged(reading("a", 0.4), reading("a", 0.6), reading("b", 0.5)),
            judged(reading("a", 1), reading("a", None), reading("b", 1)),
        ),
        threshold=THRESHOLD,
    )

    assert alone.alpha == averaged.alpha == 1
    assert alone.repeat == {"a": None, "b": None}  # read once only


def test_a_judge_is_compared_with_itself_over_its_readings() -> None:
    judgements = named(
        judged(reading("a", 0, 1), reading("a", 0, 1)), judged(reading("a", 1, 1), reading("a", 1, 1))
    )

    found = judge_agreement(judgements, threshold=THRESHOLD)

    assert found.repeat == {"a": 1}
    assert (found.judges, found.alpha, found.verdicts) == (("a",), None, None)


def test_two_judges_agree_on_who_passes_as_far_as_kappa_says() -> None:
    both = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15

    found = judge_agreement(
        named(*(judged(reading("a", one), reading("b", other)) for one, other in both)), threshold=THRESHOLD
    ).verdicts

    assert found is not None
    assert found.kappa is not None
    assert abs(found.kappa - 0.4) < 1e-12  # Cohen's own example of this table
    assert (found.answers, found.shares.agreement) == (50, 0.7)
    assert found.interval.low is not None


def test_replies_that_cannot_be_used_are_counted_and_are_no_evidence() -> None:
    good = judged(reading("a", 1), reading("b", 1), reading("a", 0, problem="no JSON"))

    found = judge_agreement(named(good, judged(reading("b", problem="no JSON"))), threshold=THRESHOLD)

    assert (found.answers, found.replies, found.unusable) == (2, 4, 2)
    assert found.verdicts is not None
    assert found.verdicts.answers == 1


def test_without_a_common_answer_there_is_no_agreement_to_speak_of() -> None:
    found = judge_agreement(named(judged(reading("a", 1)), judged(reading("b", 1))), threshold=THRESHOLD)

    assert (found.alpha, found.verdicts) == (None, None)
    assert judge_agreement({}, threshold=THRESHOLD).alpha is None


def test_a_mean_score_at_the_threshold_passes_and_one_below_it_does_not() -> None:
    found = judge_agreement(
        named(
            judged(reading("a", 0.6), reading("a", 0.8), reading("b", 0.69)),
            judged(reading("a", 0.5), reading("a", 0.8), reading("b", 0.7)),
        ),
        threshold=THRESHOLD,
    ).verdicts

    assert found is not None
    assert (found.shares.agreement, found.shares.first, found.shares.second) == (0, (0.5, 0.5), (0.5, 0.5))
    assert found.kappa == -1  # agreement 0, by chance 1/2
