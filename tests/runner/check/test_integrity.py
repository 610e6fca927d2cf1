"""Cases with too little integrity are refused before anything is generated."""

import pytest

from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Integrity
from steelyard.runner.check.integrity import require_case_integrity

SEALED, PARTIAL, OPEN = Integrity.SEALED, Integrity.PARTIAL, Integrity.OPEN


def case(name: str, language: str, **settings: str) -> Case:
    return Case(id=name, language=language, expectations=Expectations(tests="x", settings=settings))


TEXT, RUST, IO = case("t", "text"), case("r", "rs"), case("i", "c", tests="io")
JUDGED = case("j", "judge")


@pytest.mark.parametrize("least", [SEALED, PARTIAL])
def test_the_cases_are_named_with_what_to_do(least: Integrity) -> None:
    with pytest.raises(InputError) as refused:
        require_case_integrity([TEXT, RUST, IO, JUDGED], least)

    said = str(refused.value).splitlines()
    assert said[0] == f"`require_integrity={least}`: 2 of 4 cases have less:"
    assert said[1:3] == ["  'r': open", "  'j': unknown"]
    assert "`calls` or `io`" in said[3]


def test_many_cases_are_cut_short() -> None:
    with pytest.raises(InputError, match="\n  and 5 more\n"):
        require_case_integrity([case(f"r{number}", "rust") for number in range(25)], SEALED)


def test_open_requires_only_that_integrity_is_known() -> None:
    require_case_integrity([TEXT, RUST, IO], OPEN)
    with pytest.raises(InputError, match="'j': unknown"):
        require_case_integrity([JUDGED], OPEN)


def test_nothing_is_refused_without_a_requirement_or_in_a_honeypot() -> None:
    require_case_integrity([RUST, JUDGED], None)
    require_case_integrity([TEXT, Case(id="trap", language="rust", honeypot=True)], SEALED)
