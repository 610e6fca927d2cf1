"""Cases with too little isolation are refused before anything is drawn."""

import pytest

from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Isolation
from steelyard.runner.check.isolation import isolation_problems, require_case_isolation

APART, SHARED = Isolation.APART, Isolation.SHARED


def case(name: str, language: str, isolation: Isolation | None = None, **more: str) -> Case:
    return Case(
        id=name, language=language, expectations=Expectations(tests="x", isolation=isolation, settings=more)
    )


TEXT, RUST, IO = case("t", "text"), case("r", "rs"), case("i", "c", tests="io")
JUDGED = case("j", "judge")


def test_the_cases_are_named_with_what_to_do() -> None:
    with pytest.raises(InputError) as refused:
        require_case_isolation([TEXT, RUST, IO, JUDGED], APART)

    said = str(refused.value).splitlines()
    assert said[0] == "`require_isolation=apart`: 2 of 4 cases are not graded so:"
    assert said[1:3] == ["  'r': shared", "  'j': unknown"]
    assert "`calls` or `io`" in said[3]


def test_many_cases_are_cut_short() -> None:
    with pytest.raises(InputError, match="\n  and 5 more\n"):
        require_case_isolation([case(f"r{number}", "rust") for number in range(25)], APART)


def test_shared_asks_only_that_it_is_known() -> None:
    require_case_isolation([TEXT, RUST, IO], SHARED)
    with pytest.raises(InputError, match="'j': unknown"):
        require_case_isolation([JUDGED], SHARED)


def test_nothing_is_refused_without_a_wish_or_in_a_honeypot() -> None:
    require_case_isolation([RUST, JUDGED], None)
    require_case_isolation([TEXT, Case(id="trap", language="rust", honeypot=True)], APART)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (case("r", "rust", APART), "isolation = 'apart' cannot be kept; grade a case by `calls` or `io`"),
        (case("g", "go", APART), "isolation = 'apart' cannot be kept"),
        (case("t", "text", SHARED), "isolation = 'shared' is for tests of Python"),
        (case("i", "c", SHARED, tests="io"), "isolation = 'shared' is for tests of Python"),
    ],
)
def test_a_case_cannot_ask_for_what_its_check_does_not_do(wrong: Case, words: str) -> None:
    [problem] = isolation_problems([TEXT, wrong])

    assert problem.startswith(f"case {wrong.id!r}: ")
    assert words in problem


@pytest.mark.parametrize(
    "right",
    [
        case("p", "python", SHARED),
        case("p", "python", APART),
        case("r", "rust", SHARED),
        case("t", "text", APART),
        case("i", "c", APART, tests="io"),
        case("j", "judge", APART),
    ],
)
def test_a_case_may_say_what_is_so(right: Case) -> None:
    assert isolation_problems([right]) == []
