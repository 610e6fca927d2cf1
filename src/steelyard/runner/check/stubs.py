"""Write answers that do nothing, to prove that the tests of a case fail them."""

import re
from collections.abc import Callable, Iterator, Mapping

from steelyard.checks.calls.driver import language_name
from steelyard.model.case import Case

_DEFINED = {
    "python": re.compile(r"^(?:async )?def (\w+)", re.MULTILINE),
    "javascript": re.compile(r"^export (?:async )?function\*? (\w+)", re.MULTILINE),
}


def empty_answers(case: Case) -> Iterator[tuple[str, str]]:
    """Yield answers that do nothing, each with its name: none at all, no code, and code without effect.

    >>> [name for name, _ in empty_answers(Case(id="a", language="rust"))]
    ['an empty answer', 'an empty code block']
    """
    yield "an empty answer", ""
    yield "an empty code block", f"```{case.language}\n\n```\n"
    stub = _stub(case)
    if stub:
        yield "an answer whose functions do nothing", f"```{case.language}\n{stub}```\n"


def _stub(case: Case) -> str | None:
    """Return functions that return nothing; None where a language needs more than their names."""
    language = language_name(case.language)
    write = _WRITERS.get(language)
    if write is None:
        return None
    asked = case.expectations
    named = (*asked.functions, *filter(None, [asked.function]))
    demanded = named or tuple(_DEFINED[language].findall(case.reference or ""))
    classes = [_python_class(name) for name in asked.types if language == "python"]
    return "\n".join([*map(write, demanded), *classes]) or None


def _python(name: str) -> str:
    return f"def {name}(*args, **kwargs):\n    return None\n"


def _python_class(name: str) -> str:
    return f"class {name}:\n    def __init__(self, *args, **kwargs):\n        pass\n"


def _javascript(name: str) -> str:
    return f"export function {name}() {{}}\n"


# Other languages need the types of parameters and results, which no case states.
_WRITERS: Mapping[str, Callable[[str], str]] = {"python": _python, "javascript": _javascript}
