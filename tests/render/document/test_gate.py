from dataclasses import replace

import pytest

from steelyard.model.comparison import CaseRef
from steelyard.model.gate import GateForm, GateReport
from steelyard.model.verdict import DetectionChances, GateRule, Ground, SequenceEvidence, Verdict
from steelyard.render.document.blocks import Section, Tone
from steelyard.render.document.gate import gate_document
from tests.analysis.comparisons import pair, ref
from tests.analysis.gates import (
    clear_drop,
    evidence,
    first_stage,
    gate,
    judged,
    noise,
    one_broken_case,
    too_little_data,
)
from tests.render.document.reading import columns, said

A, B, C = (pair(name, name) for name in ("a", "b", "c"))


def verdict(whole: GateReport) -> str:
    [line] = said(gate_document(whole).sections["verdict"])
    return line


def why(whole: GateReport) -> list[str]:
    return said(gate_document(whole).sections["reasons"])


def surroundings(whole: GateReport) -> list[str]:
    return said(gate_document(whole).sections["surroundings"])


def resample(whole: GateReport) -> Section:
    section = gate_document(whole).sections["resample"]
    assert section.title.startswith("Next")
    return section


@pytest.mark.parametrize(
    ("whole", "sentence", "tone"),
    [
        (
            clear_drop(),
            "FAIL: acme/large passes 79 %, before 90 %: it became worse.",
            Tone.BAD,
        ),
        (noise(), "PASS: acme/large passes 89.60 %, before 90.00 %: no drop of 5 points or more.", Tone.GOOD),
        (
            one_broken_case(),
            "FAIL: acme/large passes 89.60 %, before 90.00 %: 1 of 164 cases dropped: lru_cache.",
            Tone.BAD,
        ),
        (
            too_little_data(),
            "INCONCLUSIVE: acme/large passes 87 %, before 90 %: too close to call.",
            Tone.OPEN,
        ),
        (
            gate(judged(Ground.TOO_MANY_ERRORS)),
            (
                "INCONCLUSIVE: acme/large passes 89.60 %, before 90.00 %: no decision,"
                " since 0 % of the samples are infrastructure errors."
            ),
            Tone.OPEN,
        ),
        (
            gate(judged(Ground.NO_SHARED_CASES, by=evidence(drop=None))),
            "INCONCLUSIVE: the two reports have no common case of acme/large.",
            Tone.OPEN,
        ),
        (
            gate(judged(Ground.NOT_RULED_OUT, by=evidence(largest=0.08)), form=GateForm.ANYTIME),
            "INCONCLUSIVE: acme/large passes 89.60 %, before 90.00 %: too close to call.",
            Tone.OPEN,
        ),
        (
            gate(judged(Ground.CASES_STAND_OUT, stands_out=[ref("lru_cache")])),
            "INCONCLUSIVE: acme/large passes 89.60 %, before 90.00 %: 1 of 164 cases dropped: lru_cache.",
            Tone.OPEN,
        ),
        (gate(), "INCONCLUSIVE: nothing to compare.", Tone.OPEN),
    ],
)
def test_the_verdict_is_one_sentence_that_stands_by_itself(
    whole: GateReport, sentence: str, tone: Tone
) -> None:
    assert verdict(whole) == sentence
    assert gate_document(whole).sections["verdict"].lines[0].tone is tone


def test_a_verdict_over_several_names_those_who_made_it() -> None:
    bad, open_end = judged(Ground.OVERALL_DROP, of=B), judged(Ground.TOO_FEW_SAMPLES, of=C)
    good = judged(Ground.WITHIN_MARGIN, of=A)

    assert verdict(gate(good, bad, open_end)) == "FAIL: 1 of 3 models became worse: b."
    assert verdict(gate(good, open_end)) == "INCONCLUSIVE: 1 of 2 models is inconclusive: c."
    assert verdict(gate(good, good)) == "PASS: none of 2 models became worse by 5 points or more."


def test_a_model_that_is_gone_is_named() -> None:
    good = judged(Ground.WITHIN_MARGIN, of=A)
    whole = replace(gate(good, missing=[ref("parser")]), verdict=Verdict.INCONCLUSIVE)

    assert verdict(whole) == "INCONCLUSIVE: the current report lacks acme/large, which its baseline has."


def test_the_parts_of_a_test_and_the_rounds_of_a_sequence_are_shown() -> None:
    parts = replace(evidence(), p_joint=0.01, p_criticism=0.02, p_sparse=0.004)
    rounds = SequenceEvidence(
        rounds=3, losses=22, wins=1, same=40, e_drop=14.32, e_within=0.5, fails_at=20, passes_at=20
    )
    scored = replace(rounds, e_score_drop=31.4, fails_at=40)

    assert (
        "test of the passes: p = 0.01; its parts: all cases together p = 0.41, several cases p = 0.02, "
        "one or two cases p = 0.004"
    ) in surroundings(gate(judged(Ground.WITHIN_MARGIN, by=parts)))
    assert (
        "3 rounds: 22 losses, 1 win, 40 ties; e-value 14.3 for a drop, 0.5 for one below the margin; "
        "20 decides"
    ) in surroundings(gate(judged(Ground.TOO_FEW_SAMPLES, by=replace(evidence(), sequence=rounds))))
    assert (
        "3 rounds: 22 losses, 1 win, 40 ties; e-value 14.3 for a drop of the pass rate, 31.4 for one of the "
        "score, 0.5 for one below the margin; 40 shows a drop, 20 rules it out"
    ) in surroundings(gate(judged(Ground.TOO_FEW_SAMPLES, by=replace(evidence(), sequence=scored))))


def test_a_model_whose_sequence_has_ended_is_marked_beside_others() -> None:
    rounds = SequenceEvidence(
        rounds=1, losses=0, wins=0, same=99, e_drop=1, e_within=41, fails_at=40, passes_at=40
    )
    by = replace(evidence(), sequence=rounds)
    whole = gate(judged(Ground.WITHIN_MARGIN, of=A, by=by), judged(Ground.TOO_FEW_SAMPLES, of=B, by=by))

    shown = [line for line in surroundings(whole) if "1 round" in line]

    assert [line.endswith("; ended") for line in shown] == [True, False]


def test_several_are_told_apart_the_worst_first() -> None:
    lines = why(gate(judged(Ground.WITHIN_MARGIN, of=A), judged(Ground.OVERALL_DROP, of=B)))

    assert [line.partition(":")[0] for line in lines] == ["b (fail)", "a (pass)"]


def test_what_it_could_have_seen_and_the_threshold_rule_stand_beside_it() -> None:
    assert surroundings(noise()) == [
        (
            "power: with this much data a drop of 5 points is detected in about 89 % of comparisons, "
            "one broken case in about 66 %"
        ),
        "with few samples a broken case can be missed; steelyard gate --confirm resamples suspect cases",
        "for comparison: the threshold rule would have flagged 27 cases",
    ]


def test_cases_that_are_missing_are_named_and_told_from_new_ones() -> None:
    open_end = judged(Ground.MISSING_CASES)
    whole = gate(open_end, missing=[ref("lru_cache"), ref("parser")], new=1)

    assert verdict(whole) == (
        "INCONCLUSIVE: acme/large passes 89.60 %, before 90.00 %:"
        " no decision while cases of the baseline are missing."
    )
    assert surroundings(whole)[-2:] == [
        (
            "not compared: 2 cases of the baseline, now removed, changed or without evidence: "
            "lru_cache and parser"
        ),
        "not compared: 1 case new since the baseline",
    ]
    assert len(surroundings(gate(open_end, missing=[ref("a")]))) == 3


def test_a_subject_of_the_baseline_that_vanished_is_named() -> None:
    gone = [CaseRef(model="b", tier="T0", suite="s", case=name) for name in ("lru_cache", "parser")]
    changed = CaseRef(model="a", tier="T0", suite="s", case="queue")
    whole = gate(judged(Ground.MISSING_CASES, of=A), missing=[*gone, changed])

    assert surroundings(whole)[-2:] == [
        "not compared: b (2 cases): in the baseline, missing from the current report",
        "not compared: 1 case of a in the baseline, now removed, changed or without evidence: queue",
    ]


def test_a_renamed_subject_has_not_vanished() -> None:
    changed = CaseRef(model="new", tier="T0", suite="s", case="queue")
    whole = gate(judged(Ground.MISSING_CASES, of=pair("old", "new")), missing=[changed])

    assert surroundings(whole)[-1] == (
        "not compared: 1 case of the baseline, now removed, changed or without evidence: queue"
    )


def test_looking_again_is_not_advised_where_a_broken_case_would_be_seen() -> None:
    sees = replace(evidence(), detection=DetectionChances(drop=0.05, spread=0.89, one_case=0.98))

    assert "go unseen" not in " ".join(surroundings(gate(judged(Ground.WITHIN_MARGIN, by=sees))))


def test_a_pass_in_one_shot_does_not_promise_what_it_cannot_see() -> None:
    hint = "with few samples a broken case can be missed; steelyard gate --confirm resamples suspect cases"

    assert hint in surroundings(noise())
    assert hint not in surroundings(one_broken_case()) + surroundings(first_stage())


def test_of_several_reaches_the_worst_is_told_and_an_unknown_one_is_not() -> None:
    blunt = judged(Ground.WITHIN_MARGIN, of=B, by=evidence(seen=0.2))
    blind = judged(Ground.NO_SHARED_CASES, by=evidence(drop=None))

    assert (
        "detected in about 20 % of comparisons" in surroundings(gate(judged(Ground.WITHIN_MARGIN), blunt))[0]
    )
    assert surroundings(gate(blind, flagged=0)) == [
        "for comparison: the threshold rule would have flagged no case"
    ]


def test_a_first_stage_says_what_to_generate_and_what_to_run() -> None:
    section = resample(first_stage())

    assert verdict(first_stage()) == (
        "PASS SO FAR: acme/large passes 89.60 %, before 90.00 %: no drop of 5 points or more;"
        " 2 cases must be resampled before this is final."
    )
    assert section.title == "Next: generate 10 fresh samples of each of these 2 cases in both runs"
    assert columns(section) == {"suite": ["basics", "basics"], "case": ["lru_cache", "parser"]}
    assert said(section) == [
        (
            "score the fresh samples into two separate reports; only these decide,"
            " since the cases were selected for looking worse"
        ),
        (
            "then: steelyard gate --baseline baseline.json --current current.json"
            " --fresh-baseline fresh-baseline.json --fresh-current fresh-current.json"
        ),
    ]


def test_a_single_case_to_generate_again_is_no_plural() -> None:
    whole = gate(judged(Ground.TOO_FEW_SAMPLES, resample=[ref("a")]), form=GateForm.FIRST_STAGE)

    assert verdict(whole).endswith("; 1 case must be resampled before this is final.")
    assert resample(whole).title == "Next: generate 10 fresh samples of this case in both runs"


def test_a_failure_is_final_whatever_somebody_else_has_to_generate_again() -> None:
    whole = gate(judged(Ground.OVERALL_DROP, of=A), judged(Ground.WITHIN_MARGIN, of=B, resample=[ref("x")]))

    assert verdict(whole) == "FAIL: 1 of 2 models became worse: a."
    assert columns(resample(whole))["case"] == ["x"]


def test_the_settings_stand_last() -> None:
    rule = GateRule(alpha=0.005, margin=0.01, max_error_share=0.1, allow_missing=True)
    whole = replace(gate(judged(Ground.WITHIN_MARGIN, of=A), judged(Ground.WITHIN_MARGIN, of=B)), rule=rule)

    assert said(gate_document(whole).shown_in("text")[-1]) == [
        (
            "settings: one-shot; false alarms at most 0.5 % (alpha), shared by 2 models; margin 1 point;"
            " infrastructure errors up to 10 %; missing cases allowed; made by steelyard 0.0.0"
        )
    ]
    assert "shared" not in said(gate_document(noise()).shown_in("text")[-1])[0]
