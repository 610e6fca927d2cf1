"""A part of an eval set: by names, by tags, or so many cases spread over the suites."""

from collections import Counter

import pytest

from steelyard.errors import UnknownName, UserError
from steelyard.model.case import Case
from steelyard.model.evalset import EvalSet, Suite
from steelyard.model.selection import Selection
from steelyard.runner.selection import select_cases

SIZES = {"big": 60, "middle": 30, "small": 10}
SET = EvalSet(
    id="mixed",
    cases=tuple(
        Case(
            id=f"{suite}-{number:02d}",
            suite=suite,
            language="text",
            tags=("even",) if number % 2 == 0 else (),
        )
        for suite, size in SIZES.items()
        for number in range(size)
    ),
    suites=tuple(Suite(id=suite) for suite in SIZES),
)


def ids(**chosen: object) -> list[str]:
    return [case.id for case in select_cases(SET, Selection(**chosen)).cases]  # type: ignore[arg-type]


def test_no_selection_is_the_set_itself() -> None:
    assert select_cases(SET, Selection()) is SET


def test_cases_are_named_by_id_by_suite_and_id_and_by_pattern() -> None:
    assert ids(cases=("small-03",)) == ["small-03"]
    assert ids(cases=("small/small-03", "big-0?")) == [
        *(f"big-0{number}" for number in range(10)),
        "small-03",
    ]


def test_an_id_with_brackets_names_its_own_case_and_no_other() -> None:
    """Cases made by variables have such ids, and as patterns they would name others."""
    names = ("greet[lang=de]", "greet[lang=fr]", "greetd")
    made = EvalSet(id="made", cases=tuple(Case(id=name, language="text") for name in names), suites=())

    chosen = [
        [case.id for case in select_cases(made, Selection(cases=(name,))).cases]
        for name in ("greet[lang=de]", "default/greet[lang=fr]", "greet[[]*", "greet[d]")
    ]

    assert chosen == [
        ["greet[lang=de]"],
        ["greet[lang=fr]"],
        ["greet[lang=de]", "greet[lang=fr]"],
        ["greetd"],
    ]


def test_a_case_must_fit_all_of_names_suites_and_tags() -> None:
    assert ids(suites=("small",), tags=("even",)) == [f"small-{number:02d}" for number in range(0, 10, 2)]
    with pytest.raises(UserError, match=r"case.*matches"):
        ids(suites=("small",), cases=("big-00",))


def test_suites_without_a_chosen_case_are_left_out() -> None:
    assert [suite.id for suite in select_cases(SET, Selection(suites=("small",))).suites] == ["small"]


def test_a_limit_is_spread_over_the_suites_by_their_sizes() -> None:
    kept = select_cases(SET, Selection(limit=20)).cases

    assert Counter(case.suite for case in kept) == {"big": 12, "middle": 6, "small": 2}


def test_a_small_limit_takes_one_of_each_suite_first() -> None:
    assert {name.partition("-")[0] for name in ids(limit=3)} == set(SIZES)


def test_a_larger_limit_keeps_the_cases_of_a_smaller_one() -> None:
    for limit in range(1, 100):
        assert set(ids(limit=limit)) < set(ids(limit=limit + 1))


def test_a_limit_above_the_number_of_cases_keeps_all() -> None:
    assert ids(limit=1000) == [case.id for case in SET.cases]


def test_a_limit_chooses_the_same_cases_on_every_machine_and_in_every_version() -> None:
    assert ids(limit=4) == ["big-20", "big-51", "middle-28", "small-05"]


def test_a_changed_test_does_not_change_what_a_limit_chooses() -> None:
    changed = EvalSet(
        id="mixed",
        cases=tuple(Case(id=case.id, suite=case.suite, language="rust", prompt="New.") for case in SET.cases),
        suites=SET.suites,
    )

    assert [case.id for case in select_cases(changed, Selection(limit=9)).cases] == ids(limit=9)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (
            {"cases": ("small-3",)},
            r"`cases=small-3`.*'small-03'",
        ),
        ({"suites": ("midle",)}, "'middle'"),
        ({"tags": ("xyz",)}, r"tag.*even"),
    ],
)
def test_a_name_that_the_set_lacks_is_reported_with_the_nearest(
    chosen: dict[str, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(UnknownName, match=message):
        ids(**chosen)
