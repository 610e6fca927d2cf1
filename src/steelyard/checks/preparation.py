"""Prepare the checks of cases: problems of their tests, integrity, programs and warm interpreters.

The runner knows checkers by name; whatever depends on a particular one is here.
"""

from collections.abc import Iterable, Iterator

from steelyard.checks.grading.integrity import integrity_of_tests
from steelyard.checks.toolchains.drivers.driver import drivers, warm_options
from steelyard.checks.toolchains.python.environment import interpreter_of
from steelyard.checks.toolchains.python.evidence import seal_case
from steelyard.checks.toolchains.python.interpreter import WarmOptions
from steelyard.checks.toolchains.python.job import read_tests
from steelyard.checks.toolchains.recipes.recipe import Recipe, recipes
from steelyard.checks.toolchains.recipes.step_runner import require_recipe_programs
from steelyard.errors import InputError
from steelyard.languages.interpreted import PYTHON
from steelyard.languages.lookup import language_named
from steelyard.model.case import Case
from steelyard.model.environment import Environment
from steelyard.model.outcome import Integrity

COMMAND, CALLS, IO, TEXT = "command", "calls", "io", "text"
SEALED = frozenset({CALLS, IO, TEXT})  # checkers that compare outside the sandbox


def supported_languages(form: str | None) -> set[str]:
    """Return the languages with a driver or recipe for a form of tests; None: tests by a recipe."""
    if form == CALLS:
        return {*drivers()}
    return {*drivers(), *recipes()} if form == IO else {*recipes()}


def problems_of_tests(checker: str, case: Case) -> Iterator[str]:
    """Yield reasons why the tests of a case cannot grade answers."""
    if checker != PYTHON.name:
        return
    try:
        read_tests(case)
    except InputError as error:
        yield str(error)


def integrity_of(checker: str, case: Case) -> Integrity | None:
    """Return the integrity of a checker's grades; None for plug-ins and judges.

    An outcome may state less: a check learns more from the run.

    >>> integrity_of("text", Case(id="a", language="text"))
    <Integrity.SEALED: 'sealed'>
    """
    if checker == PYTHON.name:
        return seal_case(read_tests(case)).count().integrity
    if checker in SEALED or (checker == COMMAND and case.expectations.settings.get("tests") == IO):
        return Integrity.SEALED
    return integrity_of_tests(case) if checker == COMMAND or language_named(checker) else None


def require_programs(checkers_and_cases: Iterable[tuple[str, Case]]) -> None:
    """Raise an error if a program required by a recipe is missing."""
    by_name = {
        recipe.name: recipe for checker, case in checkers_and_cases if (recipe := _recipe_of(checker, case))
    }
    for recipe in by_name.values():
        require_recipe_programs(recipe)


def _recipe_of(checker: str, case: Case) -> Recipe | None:
    """Return the recipe of a case, if it has one."""
    if checker == CALLS:
        return drivers()[case.language].recipe
    name = case.expectations.settings.get("recipe", case.language)
    return recipes().get(name) if checker in {COMMAND, IO} else None


def warm_options_of(checker: str, language: str, environment: Environment | None) -> WarmOptions | None:
    """Return the options of a warm sandbox, which exists for Python only."""
    if language != PYTHON.name:
        return None
    is_driven = checker in {CALLS, IO}
    return warm_options(environment) if is_driven else interpreter_of(environment).warm_options()
