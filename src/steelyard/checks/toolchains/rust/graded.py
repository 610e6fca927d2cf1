"""Turn a case's tests into the module or crates that grade an answer.

Only the case's tests are read, never the answer. Each `#[test]` becomes a function exported under a random
name; macros and types of the standard library are pinned.
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
    """A test of a case: its name, and whether it is skipped."""

    name: str
    is_ignored: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedModule:
    """The tests of a case as a source with placeholders for the random name."""

    tests: tuple[GradedTest, ...]
    source: str  # with NONCE in place of the random name

    def named(self, nonce: str) -> str:
        """Return the source for one check."""
        return self.source.replace(NONCE, nonce)

    def symbols(self, nonce: str) -> list[str]:
        """Return the exported names of the tests to run."""
        return [f"{nonce}_{at}" for at, test in enumerate(self.tests) if not test.is_ignored]


@dataclass(slots=True, kw_only=True)
class _Reading:
    """The state of reading tests."""

    rules: GradingRules
    tests: list[GradedTest] = field(default_factory=list)
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    # Name, depth of its end, and whether it is disabled by a feature.
    modules: list[tuple[str, int, bool]] = field(default_factory=list)
    depth: int = 0
    attributes: list[tuple[RustToken, list[RustToken]]] = field(default_factory=list)
    has_main: bool = False
    is_off: bool = False  # by `#![cfg(feature = "...")]`

    @property
    def is_disabled(self) -> bool:
        """Whether the current item is disabled by a feature."""
        here = any(_is_off(inside, self.rules.features) for _, inside in self.attributes)
        return here or self.is_off or any(off for _, _, off in self.modules)


@lru_cache(maxsize=256)
def graded_modules(text: str, rules: GradingRules) -> tuple[GradedModule, ...]:
    """Return the module that grades answers, or one crate per line `// file: tests/NAME.rs`."""
    if rules.crate is None:
        return (graded_module(text, rules),)
    starts = [match.start() for match in _FILE.finditer(text)]
    cuts = [0, *starts, len(text)]
    pieces = [text[start:end] for start, end in pairwise(cuts)]
    return tuple(graded_module(piece, rules) for piece in pieces if piece.strip())


def graded_module(text: str, rules: GradingRules | None = None) -> GradedModule:
    """Return the module that grades answers by these tests."""
    rules = rules or GradingRules()
    if "\x00" in text:
        raise InputError("the graded tests contain a NUL character; remove it")
    all_tokens = list(tokens(text))
    reading = _read(all_tokens, rules)
    if not rules.own_equality:
        reading.edits += equality_edits(all_tokens, text, check=COMPARABLE)
    words = set(re.findall(r"\w+", text)) - rules.required_types
    head = prelude(words, own_equality=rules.own_equality, is_crate=rules.crate is not None)
    # Inner attributes and documentation must come first.
    after_inner = _after_inner(all_tokens)
    first = all_tokens[after_inner].start if after_inner < len(all_tokens) else len(text)
    reading.edits.append((first, first, head))
    tail = ""
    if reading.has_main and not reading.tests:
        reading.tests.append(GradedTest(name=_MAIN))
        tail = f"\n{_exported(0, f'run({_MAIN} as fn() -> _)')}\n"
    return GradedModule(tests=tuple(reading.tests), source=QUIET + _edited(text, reading.edits) + tail)


def _after_inner(all_tokens: list[RustToken]) -> int:
    """Return the number of tokens of leading inner attributes, `#![...]`."""
    at = 0
    while [token.text for token in all_tokens[at : at + 3]] == ["#", "!", "["]:
        at = _closing(all_tokens, at + 2) + 1
    return at


def _read(all_tokens: list[RustToken], rules: GradingRules) -> _Reading:
    """Find tests, their modules and the necessary edits."""
    reading = _Reading(rules=rules)
    at = 0
    while at < len(all_tokens):
        ahead = "".join(token.text for token in all_tokens[at : at + 3])
        if ahead == "#![" or ahead.startswith("#["):
            opened = at + 2 if ahead == "#![" else at + 1
            end = _closing(all_tokens, opened)
            inside = all_tokens[opened + 1 : end]
            if ahead == "#![":
                reading.is_off |= reading.depth == 0 and _is_off(inside, rules.features)
            else:
                reading.attributes.append((all_tokens[at], inside))
                _drop_if_only_for_tests(reading, all_tokens[at : end + 1])
            at = end + 1
            continue
        _add_token(reading, all_tokens, at)
        at += 1
    return reading


def _closing(all_tokens: list[RustToken], at: int) -> int:
    """Return the index of the closing bracket."""
    depth = 0
    for index in range(at, len(all_tokens)):
        depth += {"[": 1, "]": -1}.get(all_tokens[index].text, 0) if all_tokens[index].kind == "mark" else 0
        if depth == 0:
            return index
    raise InputError("the graded tests contain an unclosed attribute")


def _is_off(inside: list[RustToken], features: frozenset[str]) -> bool:
    """Whether an attribute disables its item: `cfg(feature = "x")` without that feature."""
    text = [token.text for token in inside]
    negated = text[:4] == ["cfg", "(", "not", "("]
    core = text[4:-2] if negated else text[2:-1]
    if text[:2] != ["cfg", "("] or core[:2] != ["feature", "="]:
        return False
    return (core[2].strip('"') in features) is negated


def _drop_if_only_for_tests(reading: _Reading, attribute: list[RustToken]) -> None:
    """Remove `#[cfg(test)]`: the answer is built as a library, without its own tests."""
    if [token.text for token in attribute[2:-1]] == ["cfg", "(", "test", ")"]:
        reading.edits.append((attribute[0].start, attribute[-1].end, ""))


def _add_token(reading: _Reading, all_tokens: list[RustToken], at: int) -> None:
    """Process one token outside attributes."""
    text, following = all_tokens[at].text, all_tokens[at + 1] if at + 1 < len(all_tokens) else None
    if all_tokens[at].kind == "word" and text == "fn" and following:
        reading.has_main |= following.text == _MAIN and reading.depth == 0
        _add_test(reading, following)
    opened = at + 2 < len(all_tokens) and all_tokens[at + 2].text == "{"
    if all_tokens[at].kind == "word" and text == "mod" and following and opened:
        reading.modules.append((following.text, reading.depth, reading.is_disabled))
    if text in {"{", "}"} and all_tokens[at].kind == "mark":
        reading.depth += 1 if text == "{" else -1
        while text == "}" and reading.modules and reading.modules[-1][1] >= reading.depth:
            reading.modules.pop()
    # Other tokens may stand between attributes and `fn`: pub, async, unsafe, extern, const.
    if text in {"{", "}", ";", "fn", "mod"}:
        reading.attributes.clear()


def _add_test(reading: _Reading, name: RustToken) -> None:
    """Add a function with `#[test]`, and the edit that replaces the attribute."""
    text = {tokens_[0].text: (mark, tokens_) for mark, tokens_ in reading.attributes if tokens_}
    if "test" not in text or reading.is_disabled:
        return
    if name.kind != "word":
        raise InputError(f"a graded test has the name {name.text!r}: tests from macros are not supported")
    mark, inside = text["test"]
    number = len(reading.tests)
    path = "::".join([*(module for module, _, _ in reading.modules), name.text])
    is_ignored = "ignore" in text and not reading.rules.runs_ignored
    reading.tests.append(GradedTest(name=path, is_ignored=is_ignored))
    call = f"run({name.text} as fn() -> _)"
    if "should_panic" in text:
        call = f"run_to_panic({name.text} as fn() -> _, {_expected(text['should_panic'][1])})"
    reading.edits.append((mark.start, inside[-1].end + 1, _exported(number, call)))


def _exported(number: int, call: str) -> str:
    """Return the exported function of a test."""
    name = f"{NONCE}_{number}"
    return f'#[export_name = "{name}"] pub extern "C" fn {name}() -> u32 {{ ::{NONCE}::{call} }}'


def _expected(inside: list[RustToken]) -> str:
    """Return the expected panic message as a Rust expression."""
    strings = [token.text for token in inside if token.kind == "string"]
    return f"::{NONCE}::real::option::Option::" + (f"Some({strings[0]})" if strings else "None")


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Apply edits and keep line numbers, which messages contain."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + "\n" * text.count("\n", start, end) + text[end:]
    return text
