"""Write empty answers, which the tests of a case must reject."""

import re
from collections.abc import Callable, Iterator, Mapping

from steelyard.model.case import Case

_DEFINED = {
    "python": re.compile(r"^(?:async )?def (\w+)", re.MULTILINE),
    "javascript": re.compile(r"^export (?:async )?function\*? (\w+)", re.MULTILINE),
}


def empty_answers(case: Case) -> Iterator[tuple[str, str]]:
    """Yield named empty answers: no text, no code, and stub functions.

    >>> [name for name, _ in empty_answers(Case(id="a", language="rust"))]
    ['an empty answer', 'an empty code block']
    """
    yield "an empty answer", ""
    yield "an empty code block", f"```{case.language}\n\n```\n"
    stub = _stub(case)
    if stub:
        yield "an answer whose functions do nothing", f"```{case.language}\n{stub}```\n"


def _stub(case: Case) -> str | None:
    """Return stub functions; None if the language needs more than their names."""
    language = case.language
    write = _WRITERS.get(language)
    if write is None:
        return None
    expectations = case.expectations
    named = (*expectations.functions, *filter(None, [expectations.function]))
    demanded = named or tuple(_DEFINED[language].findall(case.reference or ""))
    classes = [_python_class(name) for name in expectations.types if language == "python"]
    return "\n".join([*map(write, demanded), *classes]) or None


def _python(name: str) -> str:
    return f"def {name}(*args, **kwargs):\n    return None\n"


def _python_class(name: str) -> str:
    return f"class {name}:\n    def __init__(self, *args, **kwargs):\n        pass\n"


def _javascript(name: str) -> str:
    return f"export function {name}() {{}}\n"


# Other languages need parameter and result types, which cases do not state.
_WRITERS: Mapping[str, Callable[[str], str]] = {"python": _python, "javascript": _javascript}
