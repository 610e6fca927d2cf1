"""Create the checker of each case once, with a shared sandbox."""

import threading
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import cast

from steelyard.checks.python.environment import interpreter_of
from steelyard.checks.python.interpreter import WarmOptions
from steelyard.checks.toolchains.drivers.driver import drivers, warm_options
from steelyard.checks.toolchains.recipes.recipe import Recipe, recipes
from steelyard.checks.toolchains.recipes.step_runner import require_recipe_programs
from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.environment import Environment
from steelyard.model.log import IMPORTED
from steelyard.plugins import CHECKERS, FORMS, SANDBOXES, known, load
from steelyard.ports import Checker, Sandbox

GROUP = "checkers"
BY_RECIPE = "command"  # checks many languages, each by a recipe of its name
JUDGED_ONLY = "judge"  # the language of answers that only judges assess
JSON, TEXT = "json", "text"
CALLS, IO = FORMS


def checker_name(language: str) -> str:
    """Return the name of the checker of a language.

    >>> checker_name("rust"), checker_name("java")
    ('rust', 'command')
    """
    name = TEXT if language == JSON else language
    return name if name in CHECKERS or name in known(CHECKERS, group=GROUP) else BY_RECIPE


def form_of(case: Case) -> str | None:
    """Return the language-independent form of a case's tests, if it has one.

    >>> form_of(Case(id="a", language="rust"))
    """
    expectations = case.expectations
    return CALLS if expectations.calls else IO if expectations.io else None


def unchecked_languages(cases: Iterable[Case]) -> dict[str, str]:
    """Map each unsupported language to the most similar supported one.

    >>> unchecked_languages([Case(id="a", language="pyhton"), Case(id="b", language="cpp")])
    {'pyhton': 'python'}
    """
    known_names = {
        None: {*known(CHECKERS, group=GROUP), JSON, *recipes(), JUDGED_ONLY},
        CALLS: {*drivers()},
        IO: {*drivers(), *recipes()},
    }
    result = {}
    for case in cases:
        names, language = known_names[form_of(case)], case.language
        if language not in names and "recipe" not in case.expectations.settings:
            result[case.language] = (get_close_matches(language, names, n=1) or [", ".join(sorted(names))])[0]
    return dict(sorted(result.items()))


def require_programs(cases: Iterable[Case]) -> None:
    """Raise an error if a program required by a recipe is missing."""
    result = {id(recipe): recipe for recipe in map(_recipe_of, cases) if recipe is not None}
    for recipe in result.values():
        require_recipe_programs(recipe)


def _recipe_of(case: Case) -> Recipe | None:
    """Return the recipe of a case, if it has one."""
    if form_of(case) == CALLS:
        return drivers()[case.language].recipe
    name = case.expectations.settings.get("recipe", case.language)
    is_ours = form_of(case) == IO or checker_name(case.language) == BY_RECIPE
    return recipes().get(name) if is_ours else None


def warm_up(sandbox: Sandbox, options: WarmOptions | None) -> Sandbox:
    """Return a faster sandbox if available: for Python, one with a warm interpreter."""
    warm = getattr(sandbox, "warm_python", None)  # only some sandboxes have one
    if options is None or warm is None:
        return sandbox
    make = cast("Callable[..., Sandbox]", load(SANDBOXES, warm, group="sandboxes"))
    return make(**options)


class Checkers:
    """The checkers of one process; safe to call from many threads."""

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        around: Callable[[Checker], Checker] = lambda item: item,
        within: Callable[[Sandbox], Sandbox] = lambda item: item,
    ) -> None:
        """`around` may wrap each checker, and `within` the sandbox of each."""
        self._sandbox = sandbox
        self._around = around
        self._within = within
        self._lock = threading.Lock()
        self._made: dict[tuple[str, bool, Environment | None], Checker] = {}

    def of(self, case: Case) -> Checker:
        """Return the checker of a case; raises an error if its tool is missing."""
        if case.language == IMPORTED:
            raise UserError(
                f"case {case.id!r} was imported from a log of another tool with its verdicts; "
                f"there is no check to run"
            )
        form = form_of(case)
        key = form or checker_name(case.language), case.language == "python", case.environment
        with self._lock:
            if key not in self._made:
                table = FORMS if form else CHECKERS
                make = cast("Callable[[Sandbox], Checker]", load(table, key[0], group=GROUP))
                sandbox = self._within(warm_up(self._sandbox, _warm_options(case)))
                self._made[key] = self._around(make(sandbox))
            return self._made[key]


def _warm_options(case: Case) -> WarmOptions | None:
    """Return the options of a warm sandbox for Python cases."""
    if case.language != "python":
        return None
    environment = case.environment
    return warm_options(environment) if form_of(case) else interpreter_of(environment).warm_options()
