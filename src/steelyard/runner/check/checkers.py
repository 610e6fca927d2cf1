"""Create the checker of each case once, with a shared sandbox."""

import threading
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import cast

from steelyard.checks import preparation
from steelyard.checks.preparation import CALLS, COMMAND, IO, TEXT, supported_languages, warm_options_of
from steelyard.checks.toolchains.python.interpreter import WarmOptions
from steelyard.errors import UserError
from steelyard.model.case import Case
from steelyard.model.environment import Environment
from steelyard.model.log import IMPORTED
from steelyard.plugins import CHECKERS, FORMS, SANDBOXES, known, load
from steelyard.ports import Checker, Sandbox

GROUP = "checkers"
JUDGED_ONLY = "judge"  # the language of answers that only judges assess
JSON = "json"


def checker_name(language: str) -> str:
    """Return the name of the checker of a language.

    >>> checker_name("rust"), checker_name("java")
    ('rust', 'command')
    """
    name = TEXT if language == JSON else language
    return name if name in CHECKERS or name in known(CHECKERS, group=GROUP) else COMMAND


def form_of(case: Case) -> str | None:
    """Return the language-independent form of a case's tests, if it has one.

    >>> form_of(Case(id="a", language="rust"))
    """
    expectations = case.expectations
    return CALLS if expectations.calls else IO if expectations.io else None


def checker_of(case: Case) -> str:
    """Return the name of the checker of a case."""
    return form_of(case) or checker_name(case.language)


def unchecked_languages(cases: Iterable[Case]) -> dict[str, str]:
    """Map each unsupported language to the most similar supported one.

    >>> unchecked_languages([Case(id="a", language="pyhton"), Case(id="b", language="cpp")])
    {'pyhton': 'python'}
    """
    supported = {form: supported_languages(form) for form in (None, *FORMS)}
    supported[None] |= {*known(CHECKERS, group=GROUP), JSON, JUDGED_ONLY}
    unchecked = {}
    for case in cases:
        names, language = supported[form_of(case)], case.language
        if language not in names and "recipe" not in case.expectations.settings:
            unchecked[language] = (get_close_matches(language, names, n=1) or [", ".join(sorted(names))])[0]
    return dict(sorted(unchecked.items()))


def problems_of_tests(cases: Iterable[Case]) -> Iterator[str]:
    """Yield reasons why tests cannot grade answers."""
    for case in cases:
        yield from preparation.problems_of_tests(checker_of(case), case)


def require_programs(cases: Iterable[Case]) -> None:
    """Raise an error if a program required by a recipe is missing."""
    preparation.require_programs((checker_of(case), case) for case in cases)


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
        around: Callable[[Checker], Checker] = lambda checker: checker,
        within: Callable[[Sandbox], Sandbox] = lambda sandbox: sandbox,
    ) -> None:
        """`around` may wrap each checker, and `within` the sandbox of each."""
        self._sandbox = sandbox
        self._around = around
        self._within = within
        self._lock = threading.Lock()
        self._made: dict[tuple[str, Environment | None, bool], Checker] = {}

    def of(self, case: Case) -> Checker:
        """Return the checker of a case; raises an error if its tool is missing."""
        if case.language == IMPORTED:
            raise UserError(
                f"case {case.id!r} was imported from a log of another tool with its verdicts; "
                f"there is no check to run"
            )
        name, environment = checker_of(case), case.environment
        warm_options = warm_options_of(name, case.language, environment)
        key = name, environment, warm_options is not None
        with self._lock:
            if key not in self._made:
                table = FORMS if name in FORMS else CHECKERS
                make = cast("Callable[[Sandbox], Checker]", load(table, name, group=GROUP))
                self._made[key] = self._around(make(self._within(warm_up(self._sandbox, warm_options))))
            return self._made[key]
