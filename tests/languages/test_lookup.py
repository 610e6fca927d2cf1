"""A case may name its language by any usual name; every check of it knows the canonical one."""

import pytest

from steelyard.languages.lookup import LANGUAGES
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import FunctionCall, InputOutput
from steelyard.runner.check.checkers import unchecked_languages

NAMES = sorted((alias, language.name) for language in LANGUAGES for alias in language.aliases)
FORMS = (
    Expectations(tests="…"),
    Expectations(function="add", calls=(FunctionCall(args=(1, 2), returns=3),)),
    Expectations(io=(InputOutput(stdin="1", stdout="1"),)),
)


@pytest.mark.parametrize(("alias", "language"), NAMES)
def test_a_case_has_the_canonical_name_and_the_digest_of_its_language(alias: str, language: str) -> None:
    case = Case(id="add", language=alias)

    assert case.language == language
    assert case.digest == Case(id="add", language=language).digest


@pytest.mark.parametrize("form", FORMS, ids=("tests", "calls", "io"))
@pytest.mark.parametrize("alias", [alias for alias, language in NAMES if language != "terraform"])
def test_an_alias_is_checked_in_every_form(alias: str, form: Expectations) -> None:
    assert unchecked_languages([Case(id="add", language=alias, expectations=form)]) == {}


def test_other_names_stay_as_they_are() -> None:
    assert Case(id="add", language="Fortran").language == "Fortran"
