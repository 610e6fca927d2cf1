"""Answers with a known result: minimal sources that build, and stubs that tests must reject."""

import re
from collections.abc import Iterator

from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.workspace import target_of
from steelyard.languages.lookup import language_named
from steelyard.model.case import Case

ANY_LANGUAGE = "probe = 1\n"
LONG_FENCE = 64
TEXTS = frozenset({"text", "json"})


def known_answer(case: Case) -> str:
    r"""Return an answer whose check must work: the reference of the case, or a minimal source.

    If the build is the check, it is the original file, which requires the project's providers.

    >>> known_answer(Case(id="a", language="rust"))
    '```rust\npub fn probe() {}\n```\n'
    """
    if case.reference is not None:
        return case.reference
    if case.language in TEXTS:
        return ANY_LANGUAGE
    language = language_named(case.language)
    code = (language and language.probe) or ANY_LANGUAGE
    if language and language.build_is_check:
        original = case.files.get(target_of(case), "")
        code = f"{original.rstrip()}\n" if scan(original).has_blocks else code
    # A long fence: a file may contain fences.
    fence = "`" * (3 if "```" not in code else LONG_FENCE)
    return f"{fence}{case.language}\n{code}{fence}\n"


def empty_answers(case: Case) -> Iterator[tuple[str, str]]:
    """Yield named empty answers: no text, no code, and stub functions.

    >>> [name for name, _ in empty_answers(Case(id="a", language="rust"))]
    ['an empty answer', 'an empty code block']
    """
    yield "an empty answer", ""
    if case.task is not None:
        return
    yield "an empty code block", f"```{case.language}\n\n```\n"
    if code := _stub_code(case):
        yield "an answer whose functions do nothing", f"```{case.language}\n{code}```\n"


def _stub_code(case: Case) -> str | None:
    """Return stubs; None if the language requires parameter or result types, which cases do not state."""
    language = language_named(case.language)
    stub = language.stub if language else None
    if stub is None:
        return None
    expectations = case.expectations
    stated = (*expectations.functions, *filter(None, [expectations.function]))
    functions = stated or tuple(re.findall(stub.functions, case.reference or "", re.MULTILINE))
    types = expectations.types if stub.type else ()
    texts = [stub.function.format(name=name) for name in functions]
    return "\n".join([*texts, *(stub.type.format(name=name) for name in types)]) or None
