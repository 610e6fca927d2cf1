from dataclasses import replace

import pytest

from steelyard.model.comparison import Comparison, ScoreChange
from steelyard.render.document.blocks import Section
from steelyard.render.document.comparison import WHOLE, comparison_document
from steelyard.render.text import TextRenderer
from tests.analysis.comparisons import change, compared, comparison, mixed_comparison, pair, ref
from tests.render.document.reading import columns, said

REGRESSIONS = "Regressions by the threshold rule, largest first"


def sections(whole: Comparison) -> dict[str, Section]:
    return {
        section.title: section for section in comparison_document(whole).shown_in("text") if section.title
    }


def first_lines(whole: Comparison) -> list[str]:
    return said(comparison_document(whole).sections["answers"])


def threshold_rule(whole: Comparison) -> str:
    [line] = said(comparison_document(whole).sections["threshold"])
    return line


def test_the_answer_comes_first_and_then_the_threshold_rule() -> None:
    [answer] = first_lines(mixed_comparison())

    assert answer == "acme/large passes 80 %, before 83 %: no drop of 5 points or more."
    assert threshold_rule(mixed_comparison()) == (
        "The threshold rule (a drop of more than 0.05) flags 2 cases; 1 of them stands out from noise."
        " Also: 1 improvement, 12 unchanged; not compared: 1 new, 1 removed, 1 changed,"
        " 1 without evidence."
    )


@pytest.mark.parametrize(
    ("regressions", "words"),
    [
        ([], "flags no case. Also"),
        ([change("a", 0.9, 0.1)], "flags 1 case, which could be noise."),
        ([change("a", 0.9, 0.1, p=0.001)], "flags 1 case, which stands out from noise."),
        ([change("a", 0.9, 0.1)] * 2, "flags 2 cases; none of them stands out from noise."),
        ([change("a", 0.9, 0.1, p=0.001)] * 2, "flags 2 cases; 2 of them stand out from noise."),
    ],
)
def test_the_threshold_rule_is_followed_by_how_much_of_it_to_believe(
    regressions: list[ScoreChange], words: str
) -> None:
    assert words in threshold_rule(comparison(regressions=regressions))


def test_only_what_was_not_compared_is_listed() -> None:
    whole = replace(mixed_comparison(), changed_cases=())

    assert threshold_rule(whole).endswith("; not compared: 1 new, 1 removed, 1 without evidence.")


def test_no_pair_is_no_all_clear() -> None:
    nothing = comparison(subjects=(), unchanged=0)

    assert first_lines(nothing) == ["Nothing was compared: the reports have no case in common."]
    assert len(comparison_document(nothing).shown_in("text")) == 2
    assert len(comparison_document(replace(nothing, new_cases=(ref("a"),))).shown_in("text")) == 4


def test_a_drop_shows_both_scores_the_step_and_whether_it_could_be_noise() -> None:
    section = sections(mixed_comparison())[REGRESSIONS]

    assert columns(section) == {
        "suite": ["basics", "basics"],
        "case": ["lru_cache", "fizzbuzz"],
        "baseline": ["0.9000", "0.9000"],
        "current": ["0.6000", "0.8500"],
        "change": ["-0.3000", "-0.050001"],
        "noise?": ["stands out (p = 0.004)", "could be noise (p = 0.24)"],
    }
    assert said(section) == ["p is for one case alone; among many cases, some small values occur by chance"]


def test_a_drop_of_the_score_alone_is_no_drop_of_passes() -> None:
    rows = [change("a", 0.9, 0.1, p=1.0), change("b", 0.9, 0.1, p=None)]
    odd = replace(rows[1], stands_out=True)

    table = columns(sections(comparison(regressions=[*rows, odd]))[REGRESSIONS])

    assert table["noise?"] == ["passes as often", "not tested", "stands out"]


def test_an_improvement_of_an_earlier_version_is_not_tested_for_noise() -> None:
    section = sections(mixed_comparison())["Improvements, largest first"]

    assert columns(section)["change"] == ["+0.8000"]
    assert "noise?" not in columns(section)
    assert said(section) == []


def test_an_improvement_is_tested_for_noise() -> None:
    whole = mixed_comparison()
    tested = replace(whole, improvements=(replace(whole.improvements[0], p_rise=0.2),))

    section = sections(tested)["Improvements, largest first"]

    assert columns(section)["noise?"] == ["could be noise (p = 0.20)"]


def test_models_and_tiers_are_told_apart_when_there_are_several() -> None:
    whole = comparison(
        subjects=[compared(pair("a", "a", tier="T0")), compared(pair("b", "b", tier="T1"))],
        regressions=[change("x", 0.9, 0.1, model="a")],
    )

    table = columns(sections(whole)[REGRESSIONS])

    assert (table["model"], table["tier"]) == (["a"], ["T0"])


def test_cases_of_a_model_that_has_no_partner_are_told_apart() -> None:
    table = columns(
        sections(comparison(listed=[ref("x", model="other")]))["New cases, in the current report only (1)"]
    )

    assert table["model"] == ["other"]


def test_what_stands_beside_what_is_said_last() -> None:
    subjects = [compared(pair("a", "a", tier="T0")), compared(pair("old", "new", tier="T1"))]

    assert said(comparison_document(comparison(subjects=subjects)).shown_in("text")[-1]) == [
        "compared: a in T0 and old in T1 → new in T1; made by steelyard 0.0.0"
    ]


def test_long_lists_are_capped_with_a_count() -> None:
    whole = comparison(
        listed=[ref(str(number)) for number in range(WHOLE.cases + 3)],
        improvements=[change(str(number), 0.1, 0.9) for number in range(WHOLE.changes + 1)],
    )

    cases = sections(whole)["New cases, in the current report only (53)"]
    changes = sections(whole)["Improvements, largest first"]

    assert len(cases.rows) == WHOLE.cases
    assert said(cases) == ["and 3 more; --format json has all of them"]
    assert said(changes) == ["and 1 more; --format json has all of them"]


def test_a_comparison_in_a_screenful_says_how_to_see_the_rest() -> None:
    whole = comparison(
        listed=[ref(str(number)) for number in range(8)],
        improvements=[change(str(number), 0.1, 0.9) for number in range(120)],
    )

    text = TextRenderer(details=False).render(whole)

    assert len(text.splitlines()) < len(TextRenderer().render(whole).splitlines()) / 2
    assert "and 115 more; --details shows them" in text
    assert "New cases, in the current report only (8)" in text
    assert "and 3 more; --details shows them" in text


@pytest.mark.parametrize(
    ("flagged", "words"),
    [
        (1, "flags 1 case, which does not stand out by its passes."),
        (2, "flags 2 cases; none of them stands out from noise by its passes."),
    ],
)
def test_where_scores_say_more_the_rule_names_what_was_tested(flagged: int, words: str) -> None:
    scored = replace(compared(), p_score=0.001)
    whole = comparison(subjects=[scored], regressions=[change("a", 0.9, 0.1)] * flagged)

    assert words in threshold_rule(whole)
