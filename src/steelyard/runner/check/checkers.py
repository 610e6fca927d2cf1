"""Find the checker of a language, and make it once, with the sandbox that all of them share.

Every checker is made with a sandbox and nothing else; whatever else it can be told has a default.
"""

import threading
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import cast

from steelyard.checks.command.recipe import recipes
from steelyard.checks.command.step_runner import refuse_missing
from steelyard.model.case import Case
from steelyard.plugins import CHECKERS, known, load
from steelyard.ports import Checker, Sandbox

GROUP = "checkers"
BY_RECIPE = "command"  # knows many languages, each by a recipe of its name
JUDGED_ONLY = "judge"  # the language of answers that no checker looks at
OTHER_NAMES = {"py": "python", "rs": "rust", "hcl": "terraform", "tf": "terraform", "json": "text"}


def checker_name(language: str) -> str:
    """Return the name of the checker that answers in a language are given to.

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


def refuse_missing_programs(cases: Iterable[Case]) -> None:
    """Raise an error if a program is missing that a recipe of some case needs; nothing else is looked at."""
    known = recipes()
    by_recipe = [case for case in cases if checker_name(case.language) == BY_RECIPE]
    for name in dict.fromkeys(case.expectations.settings.get("recipe", case.language) for case in by_recipe):
        if name in known:
            refuse_missing(known[name])


def warmed(sandbox: Sandbox, name: str) -> Sandbox:
    """Return the sandbox in which a checker is fastest: for Python, one that has an interpreter waiting."""
    if name != "python" or type(sandbox).__name__ != "BubblewrapSandbox":
        return sandbox
    # Linux only, and not needed to ask for help.
    from steelyard.checks.python.interpreter import this_interpreter  # noqa: PLC0415
    from steelyard.sandbox.warm.sandbox import WarmPythonSandbox  # noqa: PLC0415

    return WarmPythonSandbox(**this_interpreter().warm_options())


class Checkers:
    """The checkers of one process; safe to call from many threads."""

    def __init__(self, sandbox: Sandbox, *, around: Callable[[Checker], Checker] = lambda one: one) -> None:
        """Check in a sandbox; `around` may put something around each checker, such as a memory."""
        self._sandbox = sandbox
        self._around = around
        self._lock = threading.Lock()
        self._made: dict[str, Checker] = {}

    def of(self, language: str) -> Checker:
        """Return the checker of a language; a tool that it needs and that is missing raises an error."""
        name = checker_name(language)
        with self._lock:
            if name not in self._made:
                make = cast("Callable[[Sandbox], Checker]", load(CHECKERS, name, group=GROUP))
                self._made[name] = self._around(make(warmed(self._sandbox, name)))
            return self._made[name]
