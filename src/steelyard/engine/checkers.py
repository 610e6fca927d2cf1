"""Find the checker of a language, and make it once, with the sandbox that all of them share.

Every checker is made with a sandbox and nothing else; whatever else it can be told has a default.
"""

import threading
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import cast

from steelyard.checks.command.recipe import recipes
from steelyard.model.case import Case
from steelyard.plugins import CHECKERS, known, load
from steelyard.ports import Checker, Sandbox

GROUP = "checkers"
BY_RECIPE = "command"  # knows many languages, each by a recipe of its name
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
    names = {*known(CHECKERS, group=GROUP), *OTHER_NAMES, *recipes()}
    unknown = sorted(languages - names)
    return {name: (get_close_matches(name, names, n=1) or [", ".join(sorted(names))])[0] for name in unknown}


class Checkers:
    """The checkers of one process; safe to call from many threads."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._made: dict[str, Checker] = {}

    def of(self, language: str) -> Checker:
        """Return the checker of a language; a tool that it needs and that is missing raises an error."""
        name = checker_name(language)
        with self._lock:
            if name not in self._made:
                make = cast("Callable[[Sandbox], Checker]", load(CHECKERS, name, group=GROUP))
                self._made[name] = make(self._sandbox)
            return self._made[name]
