"""Find the checker of a language, and create it once, with the sandbox that all of them share."""

import threading
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import cast

from steelyard.checks.command.recipe import recipes
from steelyard.checks.command.step_runner import require_recipe_programs
from steelyard.checks.python.interpreter import this_interpreter
from steelyard.model.case import Case
from steelyard.plugins import CHECKERS, SANDBOXES, known, load
from steelyard.ports import Checker, Sandbox

GROUP = "checkers"
BY_RECIPE = "command"  # checks many languages, each by a recipe of its name
JUDGED_ONLY = "judge"  # the language of answers that only judges assess
OTHER_NAMES = {"py": "python", "rs": "rust", "hcl": "terraform", "tf": "terraform", "json": "text"}


def checker_name(language: str) -> str:
    """Return the name of the checker of a language.

    >>> checker_name("rust"), checker_name("java")
    ('rust', 'command')
    """
    name = OTHER_NAMES.get(language, language)
    return name if name in CHECKERS or name in known(CHECKERS, group=GROUP) else BY_RECIPE


def unchecked_languages(cases: Iterable[Case]) -> dict[str, str]:
    """Return each language that no checker and no shipped recipe knows, with the nearest one that is known.

    >>> unchecked_languages([Case(id="a", language="pyhton"), Case(id="b", language="cpp")])
    {'pyhton': 'python'}
    """
    languages = {case.language for case in cases if "recipe" not in case.expectations.settings}
    names = {*known(CHECKERS, group=GROUP), *OTHER_NAMES, *recipes(), JUDGED_ONLY}
    unknown = sorted(languages - names)
    return {name: (get_close_matches(name, names, n=1) or [", ".join(sorted(names))])[0] for name in unknown}


def require_programs(cases: Iterable[Case]) -> None:
    """Raise an error if a program is missing that a recipe of some case needs."""
    known = recipes()
    by_recipe = [case for case in cases if checker_name(case.language) == BY_RECIPE]
    for name in dict.fromkeys(case.expectations.settings.get("recipe", case.language) for case in by_recipe):
        if name in known:
            require_recipe_programs(known[name])


def warm_up(sandbox: Sandbox, name: str) -> Sandbox:
    """Return the sandbox in which a checker is fastest: for Python, one with an interpreter that waits."""
    warm = getattr(sandbox, "warm_python", None)  # only some sandboxes have one
    if name != "python" or warm is None:
        return sandbox
    make = cast("Callable[..., Sandbox]", load(SANDBOXES, warm, group="sandboxes"))
    return make(**this_interpreter().warm_options())


class Checkers:
    """The checkers of one process; safe to call from many threads."""

    def __init__(self, sandbox: Sandbox, *, around: Callable[[Checker], Checker] = lambda one: one) -> None:
        """Check in a sandbox; `around` may wrap each checker, such as in a cache."""
        self._sandbox = sandbox
        self._around = around
        self._lock = threading.Lock()
        self._made: dict[str, Checker] = {}

    def of(self, language: str) -> Checker:
        """Return the checker of a language; raises an error if a tool is missing that it needs."""
        name = checker_name(language)
        with self._lock:
            if name not in self._made:
                make = cast("Callable[[Sandbox], Checker]", load(CHECKERS, name, group=GROUP))
                self._made[name] = self._around(make(warm_up(self._sandbox, name)))
            return self._made[name]
