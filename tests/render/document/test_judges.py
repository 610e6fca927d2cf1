from dataclasses import replace

from steelyard.model.estimate import Estimate, Reason
from steelyard.model.report import Report
from steelyard.model.report_runs import Frontier, JudgedSubject, JudgesSummary, VerdictsOfTwo
from steelyard.render.document.judges import judges_section
from steelyard.render.document.subjects import frontier_section
from tests.analysis.reports import interval, report, subject
from tests.render.document.reading import columns, said

TWO = JudgesSummary(
    judges=("a/one", "b/two"),
    rubric="quality",
    rubric_digest="0123456789abcdef",
    answers=120,
    replies=250,
    unusable=10,
    disagreeing=4,
    totals_off=1,
    cost_usd=1.5,
    alpha=Estimate.of(0.82, interval(0.75, 0.9)),
    repeat={"a/one": 0.9, "b/two": None},
    verdicts=VerdictsOfTwo(
        answers=118, agreement=0.9, kappa=Estimate.of(0.8), passed_by_first=0.6, passed_by_second=0.55
    ),
    unusable_by_judge={"a/one": 1, "b/two": 9},
    missing_by_judge={"b/two": 2},
    subjects=(
        JudgedSubject(
            model="acme/large",
            tier="T0",
            answers=120,
            unrated=2,
            disagreeing=4,
            saw_tampering=1,
            unusable=10,
        ),
    ),
)
FRONTIER = Frontier(value=2.5, smoothed=1.5, infinite=False, expert_usd=20.0, cases=12, capped=3, unsolved=3)


def judged(judges: JudgesSummary) -> Report:
    return replace(report(subject()), judges=judges)


def test_who_judged_how_far_they_agree_and_what_it_took_is_told() -> None:
    section = judges_section(judged(TWO))

    assert said(section) == [
        (
            "judged by a/one and b/two by the rubric quality (01234567): 120 different answers, 250 replies, "
            "10 (4 %) unusable, for $1.50"
        ),
        "unusable replies by judge: a/one 1 and b/two 9 (no usable reply about 2 answers)",
        "agreement between judges: alpha 0.82 (0.75 to 0.9)",
        "agreement of a judge with itself: alpha a/one 0.9",
        "verdicts: both agree on 90 % of 118 answers, kappa 0.8; they pass 0.6000 and 0.5500",
        "in 1 reply the judge's total differs from the sum of its ratings; the sum is used",
    ]
    assert columns(section)["tampering seen"] == ["1"]
    assert columns(section)["unrated"] == ["2"]
    assert columns(section)["unusable replies"] == ["10"]


def test_a_report_of_an_earlier_version_does_not_know_whose_replies_were_unusable() -> None:
    earlier = replace(TWO, unusable_by_judge={}, subjects=(replace(TWO.subjects[0], unusable=None),))

    section = judges_section(judged(earlier))

    assert columns(section)["unusable replies"] == ["–"]  # noqa: RUF001
    assert not any("by judge" in line for line in said(section))


def test_one_judge_of_unknown_price_is_told_briefly() -> None:
    one = replace(
        TWO,
        judges=("a/one",),
        replies=0,
        unusable=0,
        cost_usd=None,
        alpha=Estimate.undefined(Reason.NOT_MEASURED),
        repeat={},
        verdicts=None,
        totals_off=0,
    )

    assert said(judges_section(judged(one))) == [
        (
            "judged by a/one by the rubric quality (01234567): 120 different answers, 0 replies, 0 unusable, "
            "for an unknown cost"
        )
    ]


def test_without_judges_and_without_a_frontier_nothing_is_said() -> None:
    assert judges_section(report(subject())).is_empty
    assert frontier_section(report(subject())).is_empty


def test_the_frontier_is_told_with_the_share_that_the_expert_decides() -> None:
    section = frontier_section(replace(report(subject("a"), subject("b")), frontier=FRONTIER))

    assert said(section) == [
        (
            "frontier: a pass costs $2.50 (smoothed $1.50) over 12 cases, each by the cheapest model; "
            "an expert's price decides 3 (25 %), at $20.00 each; comparable only for equal numbers of samples"
        )
    ]


def test_a_frontier_without_an_expert_tells_what_is_missing() -> None:
    endless = replace(FRONTIER, value=None, infinite=True, expert_usd=None, capped=0)
    finite = replace(FRONTIER, expert_usd=None, capped=0, unsolved=0, smoothed=None)

    tiers = report(subject(tier="T0"), subject(tier="T1"))

    told = [said(frontier_section(replace(tiers, frontier=one)))[0] for one in (endless, finite)]
    bare = frontier_section(replace(report(subject("a"), subject("b")), frontier=finite))

    assert bare.is_empty  # nobody asked for it

    assert told[0].endswith(
        "no subject passes 3 of them; set the price of an expert for a case: --expert-usd"
    )
    assert told[1].startswith(
        "frontier: a pass costs $2.50 over 12 cases, each by the cheapest subject; comp"
    )


def test_a_frontier_over_a_part_of_the_cases_says_so() -> None:
    section = frontier_section(
        replace(report(subject("a"), subject("b")), frontier=replace(FRONTIER, cases=9))
    )

    assert "over the 9 of 12 cases that every model has samples of, each by" in said(section)[0]
