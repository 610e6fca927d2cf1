import pytest

from steelyard.model.gate import GateForm, SubjectGate
from steelyard.model.verdict import GateEvidence, Ground
from steelyard.render.document.blocks import line
from steelyard.render.document.gate_reasons import reasons
from tests.analysis.comparisons import ref
from tests.analysis.gates import evidence, gate, judged
from tests.render.document.reading import sentence

ONE_SHOT = GateForm.ONE_SHOT
SECOND = GateForm.SECOND_STAGE
BROKEN = [ref("lru_cache"), ref("parser")]


def why(subject: SubjectGate, form: GateForm = ONE_SHOT) -> list[str]:
    return [sentence(line(*reason)) for reason in reasons(subject, gate(subject, form=form))]


def test_rounds_and_confirmations_are_known_by_their_form() -> None:
    assert [form for form in GateForm if gate(form=form).is_sequential] == [GateForm.ANYTIME]
    assert [form for form in GateForm if gate(form=form).is_confirmed] == [GateForm.SECOND_STAGE]


def test_a_drop_of_the_whole_comes_with_its_size_and_its_chance() -> None:
    fell = judged(Ground.OVERALL_DROP, by=evidence(drop=0.112, p=0.0004))

    assert why(fell) == [
        (
            "over 164 cases the pass rate fell by 11.2 points;"
            " if nothing had changed, a drop this large would occur once in 2,500 comparisons (p = 0.0004)"
        )
    ]


def test_a_drop_without_a_chance_is_still_told() -> None:
    fell = judged(Ground.OVERALL_DROP, by=evidence(drop=0.112, p=None))

    assert why(fell)[0].endswith("if nothing had changed, a drop this large would rarely occur")


def test_a_drop_seen_in_fresh_samples_does_not_borrow_the_size_of_the_old_ones() -> None:
    assert why(judged(Ground.OVERALL_DROP, by=evidence(p=0.01)), SECOND) == [
        (
            "taken together the cases dropped;"
            " if nothing had changed, a drop this large would occur once in 100 comparisons (p = 0.01)"
        )
    ]


def test_broken_cases_are_named_with_what_the_whole_did() -> None:
    assert why(judged(Ground.BROKEN_CASES, broken=BROKEN)) == [
        "noise does not explain the drop of lru_cache and parser, even among 164 cases",
        "over 164 cases the pass rate fell by 0.4 points, which alone does not fail the gate (p = 0.41)",
    ]


def test_a_whole_that_did_not_fall_needs_no_excuse() -> None:
    assert why(judged(Ground.BROKEN_CASES, broken=BROKEN, by=evidence(drop=0.0, p=0.53)))[1] == (
        "over 164 cases the pass rate did not change (p = 0.53)"
    )


def test_broken_cases_in_fresh_samples_are_confirmed() -> None:
    assert why(judged(Ground.BROKEN_CASES, broken=BROKEN), SECOND) == [
        "the fresh samples confirm a drop of lru_cache and parser"
    ]


def test_both_grounds_are_told() -> None:
    assert len(why(judged(Ground.OVERALL_DROP, Ground.BROKEN_CASES, broken=BROKEN))) == 2


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            evidence(),
            (
                "over 164 cases the pass rate fell by 0.4 points (p = 0.41);"
                " the largest plausible drop is 2.1 points, below the margin of 5 points"
            ),
        ),
        (
            evidence(drop=-0.02, p=0.9, largest=0.04996),
            (
                "over 164 cases the pass rate rose by 2 points (p = 0.90);"
                " the largest plausible drop is 4.996 points, below the margin of 5 points"
            ),
        ),
        (
            evidence(drop=-0.1, p=1, largest=-0.01),
            (
                "over 164 cases the pass rate rose by 10 points (p = 1);"
                " a drop is not plausible; the margin is 5 points"
            ),
        ),
    ],
)
def test_a_pass_tells_how_large_a_drop_is_still_plausible(found: GateEvidence, words: str) -> None:
    assert why(judged(Ground.WITHIN_MARGIN, by=found)) == [words]


def test_anytime_evidence_is_that_of_all_rounds() -> None:
    assert why(judged(Ground.WITHIN_MARGIN, by=evidence(largest=0.08)), GateForm.ANYTIME) == [
        (
            "in this round, over 164 cases the pass rate fell by 0.4 points; "
            "the pairs of all rounds rule out a drop of 5 points"
        )
    ]
    assert why(judged(Ground.NOT_RULED_OUT, by=evidence(largest=0.08)), GateForm.ANYTIME)[0].endswith(
        "more samples would hardly show a drop, but one of 5 points is not ruled out"
    )


def test_cases_that_stand_out_are_named() -> None:
    assert why(judged(Ground.CASES_STAND_OUT, stands_out=BROKEN)) == [
        ("noise hardly explains the drop of lru_cache and parser; inspect them, or generate more samples")
    ]


@pytest.mark.parametrize(
    ("found", "end"),
    [
        (
            evidence(largest=0.093, more=12),
            (
                "the largest plausible drop is 9.3 points, above the margin of 5 points;"
                " about 12 more samples per case in both runs would decide"
            ),
        ),
        (evidence(largest=0.05, more=1), "5 points, at the margin of 5 points; about 1 more sample per case"),
        (evidence(largest=None), "; the largest plausible drop is unknown"),
    ],
)
def test_too_few_samples_come_with_how_many_more_it_takes(found: GateEvidence, end: str) -> None:
    assert end in why(judged(Ground.TOO_FEW_SAMPLES, by=found))[0]


def test_an_open_round_asks_for_the_next() -> None:
    assert why(judged(Ground.TOO_FEW_SAMPLES), GateForm.ANYTIME) == [
        (
            "in this round, over 164 cases the pass rate fell by 0.4 points;"
            " not enough to decide: generate the next samples and run the gate again"
        )
    ]


def test_fresh_samples_that_show_nothing_are_mentioned() -> None:
    assert why(judged(Ground.WITHIN_MARGIN), SECOND)[1] == ("the resampled cases show no drop")


def test_too_many_infrastructure_errors_ask_for_a_rerun() -> None:
    broken = judged(Ground.TOO_MANY_ERRORS, by=evidence(error_share=0.12345))

    assert why(broken) == [
        (
            "12.3 % of a report's samples ended in infrastructure errors, more than the allowed 5 %;"
            " rerun these first"
        )
    ]


def test_missing_cases_are_the_last_thing_between_a_run_and_its_pass() -> None:
    assert why(judged(Ground.MISSING_CASES)) == [
        (
            "over 164 cases the pass rate fell by 0.4 points in both reports;"
            " the largest plausible drop is 2.1 points, below the margin of 5 points;"
            " run the missing cases, or accept the gap with --allow-missing"
        )
    ]


def test_nothing_in_common_is_said_plainly() -> None:
    assert why(judged(Ground.NO_SHARED_CASES)) == ["no case has evidence in both reports"]
