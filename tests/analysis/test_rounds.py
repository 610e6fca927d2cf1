"""The rounds of a sequence, kept apart."""

from dataclasses import replace

import pytest

from steelyard.analysis.rounds import open_part, samples_digest
from steelyard.analysis.staged_gate import BEGINNING, add_round
from steelyard.errors import UserError
from steelyard.model.verdict import GateRule, Ground, Verdict
from tests.analysis.comparisons import pair
from tests.analysis.gates import judged
from tests.analysis.runs import report_of, run

COUNTS = [(1, 1), (1, 0), (1, 1)]
GOOD, BAD = [(1, 1)] * 10, [(1, 0)] * 10


def test_the_digest_is_that_of_the_samples_and_not_of_the_report() -> None:
    report = run(COUNTS)
    told_otherwise = replace(report, generator="another", warnings=("new",), cases=report.cases[::-1])

    assert samples_digest(told_otherwise) == samples_digest(report)


def test_other_results_other_times_and_other_models_have_other_digests() -> None:
    others = [
        run([(1, 0), (1, 1), (1, 1)]),
        run(COUNTS, night=1),
        run(COUNTS, night=2),
        run(COUNTS, model="n"),
    ]

    assert len({samples_digest(report) for report in [run(COUNTS), *others]}) == 5


def test_subjects_that_have_ended_are_left_out_of_both_reports() -> None:
    report = report_of({("a", "T0"): COUNTS, ("b", "T0"): COUNTS})
    ended = judged(Ground.OVERALL_DROP, of=pair("a", "a"))

    for side in open_part(report, report, [ended]):
        assert [subject.model for subject in side.subjects] == ["b"]
        assert {case.model for case in side.cases} == {"b"}


def test_every_subject_of_a_sequence_has_rounds_of_its_own() -> None:
    before = [report_of({("a", "T0"): GOOD, ("b", "T0"): GOOD}, night=night) for night in (1, 2)]
    after = [report_of({("a", "T0"): GOOD, ("b", "T0"): BAD}, night=night) for night in (1, 2)]
    _, first = add_round(before[0], after[0], sequence=BEGINNING)
    found, sequence = add_round(before[1], after[1], sequence=first)

    a, b = (subject.decision.evidence.sequence for subject in found.subjects)

    assert a is not None
    assert b is not None
    assert (a.rounds, a.losses, a.wins, a.same) == (2, 0, 0, 20)
    assert (b.rounds, b.losses, b.wins, b.same) == (2, 20, 0, 0)
    assert b.e_drop == pytest.approx(1.2**20)
    assert [subject.seen.losses for subject in sequence.subjects] == [0, 20]


@pytest.mark.parametrize(
    ("nights", "which"), [((1, 1), "the baseline"), ((1, 2), "the baseline"), ((2, 1), "the current report")]
)
def test_samples_count_once_in_a_sequence(nights: tuple[int, int], which: str) -> None:
    _, first = add_round(run(GOOD, night=1), run(BAD, night=1))
    again = run(GOOD, night=nights[0]), run(BAD, night=nights[1])

    with pytest.raises(UserError, match=f"{which} has the same samples as a report of an earlier round"):
        add_round(*again, sequence=first)


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (GateRule(), r"margin.*0.5.*0.05"),
        (GateRule(margin=0.5, alpha=0.01), r"alpha.*0.05.*0.01"),
    ],
)
def test_every_round_has_the_margin_and_the_alpha_of_the_first(rule: GateRule, told: str) -> None:
    first = GateRule(margin=0.5)
    _, sequence = add_round(run([(1, 1)] * 3, night=1), run([(1, 1)] * 3, night=1), rule=first)
    again = run([(1, 1)] * 3, night=2)

    with pytest.raises(UserError, match=told):
        add_round(again, again, sequence=sequence, rule=rule)
    assert add_round(again, again, sequence=sequence, rule=first)[0].verdict is Verdict.INCONCLUSIVE


def test_a_subject_that_has_ended_keeps_its_verdict_while_the_others_go_on() -> None:
    good, bad = [(1, 1)] * 25, [(1, 0)] * 25
    found, sequence = add_round(
        report_of({("a", "T0"): good, ("b", "T0"): good}, night=1),
        report_of({("a", "T0"): good, ("b", "T0"): bad}, night=1),
    )
    verdicts = {one.pair.current_model: one.decision.verdict for one in found.subjects}
    assert verdicts == {"a": Verdict.INCONCLUSIVE, "b": Verdict.FAIL}

    for night in range(2, 5):  # b is better now, and then gone: it has ended all the same
        both = {("a", "T0"): good, ("b", "T0"): good} if night < 4 else {("a", "T0"): good}
        again = report_of(both, night=night)
        found, sequence = add_round(again, again, sequence=sequence)

    verdicts = {one.pair.current_model: one.decision.verdict for one in found.subjects}
    assert verdicts == {"a": Verdict.PASS, "b": Verdict.FAIL}
    assert found.verdict is Verdict.FAIL
    rounds = {one.pair.current_model: one.seen.rounds for one in sequence.subjects}
    assert rounds["b"] == 1
    last = report_of({("a", "T0"): good, ("b", "T0"): good}, night=9)
    with pytest.raises(UserError, match="verdict"):
        add_round(last, last, sequence=sequence)


def test_a_subject_that_has_ended_does_not_hold_up_the_others_by_its_missing_cases() -> None:
    good, bad = [(1, 1)] * 25, [(1, 0)] * 25
    _, sequence = add_round(
        report_of({("a", "T0"): good, ("b", "T0"): good}, night=1),
        report_of({("a", "T0"): good, ("b", "T0"): bad}, night=1),
    )
    whole = report_of({("a", "T0"): good, ("b", "T0"): good}, night=2)
    lacking = report_of({("a", "T0"): good, ("b", "T0"): good[:3]}, night=2)

    found, sequence = add_round(whole, lacking, sequence=sequence)

    assert {one.pair.current_model: one.seen.rounds for one in sequence.subjects} == {"a": 2, "b": 1}
    assert found.missing_cases == ()


def test_subjects_share_alpha_in_a_sequence_even_when_one_of_them_stays_away() -> None:
    both = report_of({("a", "T0"): [(1, 1)] * 18, ("b", "T0"): [(1, 1)] * 18}, night=1)
    _, sequence = add_round(both, both)
    before, after = run([(1, 1)] * 18, model="a", night=2), run([(1, 0)] * 18, model="a", night=2)

    assert add_round(before, after)[0].verdict is Verdict.FAIL  # 1.2 ** 18 is more than 20, less than 40
    assert add_round(before, after, sequence=sequence)[0].verdict is Verdict.INCONCLUSIVE


def test_a_sequence_that_has_ended_takes_no_more_rounds() -> None:
    before, after = run([(1, 1)] * 20), run([(1, 0)] * 20)
    found, ended = add_round(before, after)

    assert found.verdict is Verdict.FAIL
    with pytest.raises(UserError, match="verdict"):
        add_round(before, after, sequence=ended)


def test_a_round_that_lacks_cases_is_not_added() -> None:
    found, sequence = add_round(run([(1, 1)] * 20), run([(1, 1)] * 19))

    assert found.verdict is Verdict.INCONCLUSIVE
    assert sequence.subjects == ()


def test_a_round_that_is_not_finished_is_not_added() -> None:
    many = [(1, 1)] * 100
    unfinished = replace(run(many, night=2), planned_samples=200)

    found, sequence = add_round(run(many, night=1), unfinished)

    assert found.verdict is Verdict.INCONCLUSIVE
    assert sequence == BEGINNING


def test_a_model_that_could_not_be_judged_in_the_first_round_belongs_to_the_sequence() -> None:
    rule = GateRule(allow_missing=True)
    nights = [report_of({("a", "T0"): GOOD, ("b", "T0"): GOOD}, night=night) for night in (1, 2, 3, 4)]
    lost = tuple(
        replace(case, n=0, c=0, errored=1, score_n=0, score_sum_micro=0, score_sq_micro=0, mean_score=None)
        if (case.model, case.case) == ("b", "case-000")
        else case
        for case in nights[1].cases
    )

    first, begun = add_round(nights[0], replace(nights[1], cases=lost), rule=rule)
    found, sequence = add_round(nights[2], nights[3], sequence=begun, rule=rule)

    assert first.subjects[1].decision.grounds == (Ground.TOO_MANY_ERRORS,)
    assert [one.seen.rounds for one in begun.subjects] == [1, 0]
    assert [one.seen.rounds for one in sequence.subjects] == [2, 1]
    assert found.verdict is Verdict.INCONCLUSIVE
