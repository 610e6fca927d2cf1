"""Turn a case's tests into the module, or the crates, that grade an answer.

Only the case's own text is read here, never the answer. Each `#[test]` becomes a function that is exported
under a random name; macros and types of the standard library are pinned to the real ones.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from steelyard.checks.toolchains.rust.equalities import equality_edits
from steelyard.checks.toolchains.rust.prelude import COMPARABLE, NONCE, QUIET, prelude
from steelyard.checks.toolchains.rust.rules import GradingRules
from steelyard.checks.toolchains.rust.tokens import RustToken, tokens
from steelyard.errors import InputError

_FILE = re.compile(r"^// file: (\S+)[ \t]*$", re.MULTILINE)
_MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedTest:
    """One test of a case: its name as people know it, and whether it is left out."""

    name: str
    is_ignored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedModule:
    """The tests of a case, with their text cut where random names go."""

    tests: tuple[GradedTest, ...]
    source: str  # with NONCE wherever the random name goes

    def named(self, nonce: str) -> str:
        """Return the module's text for one check."""
        return self.source.replace(NONCE, nonce)

    def symbols(self, nonce: str) -> list[str]:
        """Return the exported names of the tests that are run."""
        return [f"{nonce}_{at}" for at, test in enumerate(self.tests) if not test.is_ignored]


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What has been seen so far of a text of tests."""

    rules: GradingRules
    tests: list[GradedTest] = field(default_factory=list)
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    # Name, the depth at which it ends, and whether a feature that is off leaves it out.
    modules: list[tuple[str, int, bool]] = field(default_factory=list)
    depth: int = 0
    attributes: list[tuple[RustToken, list[RustToken]]] = field(default_factory=list)
    has_main: bool = False
    is_off: bool = False  # all of it, by `#![cfg(feature = "...")]`

    @property
    def leaves_out(self) -> bool:
        """Whether what stands here is not compiled, for want of a feature."""
        here = any(_is_off(inside, self.rules.features) for _, inside in self.attributes)
        return here or self.is_off or any(off for _, _, off in self.modules)


@lru_cache(maxsize=256)
def graded_modules(text: str, rules: GradingRules) -> tuple[GradedModule, ...]:
    """Return what grades answers to a case: one module, or a crate for each line `// file: tests/NAME.rs`."""
    if rules.crate is None:
        return (graded_module(text, rules),)
    starts = [match.start() for match in _FILE.finditer(text)]
    cuts = [0, *starts, len(text)]
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    return tuple(graded_module(piece, rules) for piece in pieces if piece.strip())


def graded_module(text: str, rules: GradingRules | None = None) -> GradedModule:
    """Return the module that grades answers to a case with these tests."""
    rules = rules or GradingRules()
    if "\x00" in text:
        raise InputError("the graded tests hold a NUL character: remove it")
    result = list(tokens(text))
    reading = _read(result, rules)
    if not rules.own_equality:
        reading.edits += equality_edits(result, text, check=COMPARABLE)
    words = set(re.findall(r"\w+", text)) - rules.asked_types
    head = prelude(words, own_equality=rules.own_equality, is_crate=rules.crate is not None)
    # Inner attributes and documentation must stay in front of everything else.
    first = result[_after_inner(result)].start if _after_inner(result) < len(result) else len(text)
    reading.edits.append((first, first, head))
    tail = ""
    if reading.has_main and not reading.tests:
        reading.tests.append(GradedTest(name=_MAIN))
        tail = f"\n{_exported(0, f'run({_MAIN} as fn() -> _)')}\n"
    return GradedModule(tests=tuple(reading.tests), source=QUIET + _edited(text, reading.edits) + tail)


def _after_inner(found: list[RustToken]) -> int:
    """Return how many of the first tokens belong to inner attributes, `#![...]`."""
    at = 0
    while [token.text for token in found[at : at + 3]] == ["#", "!", "["]:
        at = _closing(found, at + 2) + 1
    return at


def _read(found: list[RustToken], rules: GradingRules) -> _Reading:
    """Find the tests, the modules they stand in, and what has to be written in their place."""
    reading = _Reading(rules=rules)
    at = 0
    while at < len(found):
        ahead = "".join(token.text for token in found[at : at + 3])
        if ahead == "#![" or ahead.startswith("#["):
            opened = at + 2 if ahead == "#![" else at + 1
            end = _closing(found, opened)
            inside = found[opened + 1 : end]
            if ahead == "#![":
                reading.is_off |= reading.depth == 0 and _is_off(inside, rules.features)
            else:
                reading.attributes.append((found[at], inside))
                _drop_if_only_for_tests(reading, found[at : end + 1])
            at = end + 1
            continue
        _take(reading, found, at)
        at += 1
    return reading


def _closing(found: list[RustToken], at: int) -> int:
    """Return where the bracket that opens at a token is closed."""
    depth = 0
    for index in range(at, len(found)):
        depth += {"[": 1, "]": -1}.get(found[index].text, 0) if found[index].kind == "mark" else 0
        if depth == 0:
            return index
    raise InputError("the graded tests hold an attribute that is never closed")


def _is_off(inside: list[RustToken], features: frozenset[str]) -> bool:
    """Whether an attribute leaves out what follows it: `cfg(feature = "x")` without that feature."""
    text = [token.text for token in inside]
    negated = text[:4] == ["cfg", "(", "not", "("]
    core = text[4:-2] if negated else text[2:-1]
    if text[:2] != ["cfg", "("] or core[:2] != ["feature", "="]:
        return False
    return (core[2].strip('"') in features) is negated


def _drop_if_only_for_tests(reading: _Reading, attribute: list[RustToken]) -> None:
    """Note that `#[cfg(test)]` goes: the answer is built as a library, and its own tests stay out."""
    if [token.text for token in attribute[2:-1]] == ["cfg", "(", "test", ")"]:
        reading.edits.append((attribute[0].start, attribute[-1].end, ""))


def _take(reading: _Reading, found: list[RustToken], at: int) -> None:
    """Take in one token that is no attribute."""
    text, following = found[at].text, found[at + 1] if at + 1 < len(found) else None
    if found[at].kind == "word" and text == "fn" and following:
        reading.has_main |= following.text == _MAIN and reading.depth == 0
        _note_test(reading, following)
    opened = at + 2 < len(found) and found[at + 2].text == "{"
    if found[at].kind == "word" and text == "mod" and following and opened:
        reading.modules.append((following.text, reading.depth, reading.leaves_out))
    if text in {"{", "}"} and found[at].kind == "mark":
        reading.depth += 1 if text == "{" else -1
        while text == "}" and reading.modules and reading.modules[-1][1] >= reading.depth:
            reading.modules.pop()
    # Whatever else may stand between attributes and `fn`: pub, async, unsafe, extern, const.
    if text in {"{", "}", ";", "fn", "mod"}:
        reading.attributes.clear()


def _note_test(reading: _Reading, name: RustToken) -> None:
    """Note a function with the attribute `#[test]`, and what replaces that attribute."""
    text = {tokens_[0].text: (mark, tokens_) for mark, tokens_ in reading.attributes if tokens_}
    if "test" not in text or reading.leaves_out:
        return
    if name.kind != "word":
        raise InputError(
            f"a graded test has the name {name.text!r}: tests written by macros cannot be graded"
        )
    mark, inside = text["test"]
    number = len(reading.tests)
    path = "::".join([*(module for module, _, _ in reading.modules), name.text])
    is_ignored = "ignore" in text and not reading.rules.runs_ignored
    reading.tests.append(GradedTest(name=path, is_ignored=is_ignored))
    runs = f"run({name.text} as fn() -> _)"
    if "should_panic" in text:
        runs = f"run_to_panic({name.text} as fn() -> _, {_expected(text['should_panic'][1])})"
    reading.edits.append((mark.start, inside[-1].end + 1, _exported(number, runs)))


def _exported(number: int, runs: str) -> str:
    """Return the function by which the runner calls a test."""
    name = f"{NONCE}_{number}"
    return f'#[export_name = "{name}"] pub extern "C" fn {name}() -> u32 {{ ::{NONCE}::{runs} }}'


def _expected(inside: list[RustToken]) -> str:
    """Return the words that a panic must hold, as Rust writes them."""
    strings = [token.text for token in inside if token.kind == "string"]
    return f"::{NONCE}::real::option::Option::" + (f"Some({strings[0]})" if strings else "None")


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text with pieces replaced; lines keep their numbers, so that messages stay true."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + "\n" * text.count("\n", start, end) + text[end:]
    return text
