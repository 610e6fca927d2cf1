"""Turn a case's tests into the module that grades an answer.

Only the case's own text is read here, never the answer. Each `#[test]` becomes a function that is exported
under a random name; macros and types of the standard library are pinned to the real ones.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from steelyard.checks.rust.equalities import equality_edits
from steelyard.checks.rust.tokens import RustToken, tokens
from steelyard.errors import InputError

_NONCE = "\x00nonce\x00"  # no Rust source can hold it
_COMPARABLE = f'::{_NONCE}::comparable(l, r, "answer::{_NONCE}::")'
_FORWARDED = (
    *("panic", "unreachable", "todo", "unimplemented", "matches", "vec", "format", "format_args", "print"),
    *("println", "eprint", "eprintln", "write", "writeln", "dbg", "concat", "stringify", "line", "column"),
    *("file", "module_path", "env", "option_env", "include", "include_str", "include_bytes", "thread_local"),
)
_WITNESSED = ("assert", "debug_assert")
_COMPARED = ("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne")
_NUMBERS = (
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
)
# What each name must still mean where the tests use it; an answer that defines its own does not build.
_PINNED = {
    **{name: f"const _: fn({name}) -> [TYPE] = |x| x;" for name in (*_NUMBERS, "bool", "char")},
    "str": "const _: fn(&'static str) -> &'static [TYPE] = |x| x;",
    "String": "const _: fn(String) -> ::[N]::real::string::String = |x| x;",
    "Vec": "const _: fn(Vec<u8>) -> ::[N]::real::vec::Vec<u8> = |x| x;",
    "Box": "const _: fn(Box<u8>) -> ::[N]::real::boxed::Box<u8> = |x| x;",
    "Option": "const _: fn(Option<u8>) -> ::[N]::real::option::Option<u8> = |x| x;",
    "Some": "const _: fn() -> ::[N]::real::option::Option<u8> = || Some(1);",
    "None": "const _: fn() -> ::[N]::real::option::Option<u8> = || None;",
    "Ok": "const _: fn() -> ::[N]::real::result::Result<u8, u8> = || Ok(1);",
    "Err": "const _: fn() -> ::[N]::real::result::Result<u8, u8> = || Err(1);",
}


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
        return self.source.replace(_NONCE, nonce)


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What has been seen so far of a text of tests."""

    tests: list[GradedTest] = field(default_factory=list)
    edits: list[tuple[int, int, str]] = field(default_factory=list)
    modules: list[tuple[str, int]] = field(default_factory=list)  # with the depth at which each one ends
    depth: int = 0
    attributes: list[tuple[RustToken, list[RustToken]]] = field(default_factory=list)


@lru_cache(maxsize=256)
def graded_module(
    text: str, *, asked_types: frozenset[str] = frozenset(), own_equality: bool = False
) -> GradedModule:
    """Return the module that grades answers to a case with these tests.

    `asked_types` are names that an answer must define itself; `own_equality` lets its types equal others.
    """
    if "\x00" in text:
        raise InputError("the graded tests hold a NUL character: remove it")
    found = list(tokens(text))
    reading = _read(found)
    if not own_equality:
        reading.edits += equality_edits(found, text, check=_COMPARABLE)
    words = set(re.findall(r"\w+", text))
    head = _head(words - asked_types, own_equality=own_equality)
    return GradedModule(tests=tuple(reading.tests), source=head + _edited(text, reading.edits))


def _read(found: list[RustToken]) -> _Reading:
    """Find the tests, the modules they stand in, and what has to be written in their place."""
    reading = _Reading()
    at = 0
    while at < len(found):
        if found[at].text == "#" and at + 1 < len(found) and found[at + 1].text == "[":
            end = _closing(found, at + 1)
            reading.attributes.append((found[at], found[at + 2 : end]))
            _drop_if_only_for_tests(reading, found[at : end + 1])
            at = end + 1
            continue
        at += _take(reading, found, at)
    return reading


def _closing(found: list[RustToken], at: int) -> int:
    """Return where the bracket that opens at a token is closed."""
    depth = 0
    for place in range(at, len(found)):
        depth += {"[": 1, "]": -1}.get(found[place].text, 0) if found[place].kind == "mark" else 0
        if depth == 0:
            return place
    raise InputError("the graded tests hold an attribute that is never closed")


def _drop_if_only_for_tests(reading: _Reading, attribute: list[RustToken]) -> None:
    """Note that `#[cfg(test)]` goes: the answer is built as a library, and its own tests stay out."""
    if [token.text for token in attribute[2:-1]] == ["cfg", "(", "test", ")"]:
        reading.edits.append((attribute[0].start, attribute[-1].end, ""))


def _take(reading: _Reading, found: list[RustToken], at: int) -> int:
    """Take in one token that is no attribute; return how many were used."""
    text, following = found[at].text, found[at + 1] if at + 1 < len(found) else None
    if found[at].kind == "word" and text == "fn" and following:
        _note_test(reading, following)
    opened = at + 2 < len(found) and found[at + 2].text == "{"
    if found[at].kind == "word" and text == "mod" and following and opened:
        reading.modules.append((following.text, reading.depth))
    if text in {"{", "}"} and found[at].kind == "mark":
        reading.depth += 1 if text == "{" else -1
        while text == "}" and reading.modules and reading.modules[-1][1] >= reading.depth:
            reading.modules.pop()
    # Whatever else may stand between attributes and `fn`: pub, async, unsafe, extern, const.
    if text in {"{", "}", ";", "fn", "mod"}:
        reading.attributes.clear()
    return 1


def _note_test(reading: _Reading, name: RustToken) -> None:
    """Note a function with the attribute `#[test]`, and what replaces that attribute."""
    said = {tokens_[0].text: (mark, tokens_) for mark, tokens_ in reading.attributes if tokens_}
    if "test" not in said:
        return
    if name.kind != "word":
        raise InputError(
            f"a graded test has the name {name.text!r}: tests written by macros cannot be graded"
        )
    mark, inside = said["test"]
    number = len(reading.tests)
    path = "::".join([*(module for module, _ in reading.modules), name.text])
    reading.tests.append(GradedTest(name=path, is_ignored="ignore" in said))
    runs = f"run({name.text} as fn() -> _)"
    if "should_panic" in said:
        runs = f"run_to_panic({name.text} as fn() -> _, {_expected(said['should_panic'][1])})"
    exported = (
        f'#[export_name = "{_NONCE}_{number}"] pub extern "C" fn {_NONCE}_{number}() -> u32 '
        f"{{ ::{_NONCE}::{runs} }}"
    )
    reading.edits.append((mark.start, inside[-1].end + 1, exported))


def _expected(inside: list[RustToken]) -> str:
    """Return the words that a panic must hold, as Rust writes them."""
    strings = [token.text for token in inside if token.kind == "string"]
    return f"::{_NONCE}::real::option::Option::" + (f"Some({strings[0]})" if strings else "None")


def _edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Return a text with pieces replaced; lines keep their numbers, so that messages stay true."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + "\n" * text.count("\n", start, end) + text[end:]
    return text


def _head(words: set[str], *, own_equality: bool) -> str:
    """Return what stands before the tests, all on one line."""
    lines = [
        "#![allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)]",
        "use super::*;",
    ]
    lines += [_forwarding(name) for name in _FORWARDED if name in words]
    lines += [_witnessing(name) for name in _WITNESSED if name in words]
    compared = _witnessing if own_equality else _comparing
    lines += [compared(name) for name in _COMPARED if name in words]
    lines += [_pinned(name) for name in _PINNED if name in words]
    # A module of the answer may be called so as well; what the tests mean is the crate.
    lines += [f"use ::{name};" for name in ("std", "core") if name in words]
    if "std" in words:
        # An answer may rename itself `std`; then these two are not the same macro, and using it is an error.
        lines.append("mod [N]_std { pub use ::std::*; pub use ::[N]::real::*; }")
        lines.append("const _: () = { [N]_std::assert!(true); };")
    return " ".join(lines).replace("[N]", _NONCE) + " "


def _forwarding(name: str) -> str:
    # In braces, a macro may stand where a function does; there `thread_local` stands.
    given = "{ $($t)* }" if name == "thread_local" else "($($t)*)"
    return f"macro_rules! {name} {{ ($($t:tt)*) => {{ ::[N]::{name}!{given} }} }}"


def _witnessing(name: str) -> str:
    body = f"let _w = ::[N]::Witness; ::[N]::{name}!($($t)*);"
    return f"macro_rules! {name} {{ ($($t:tt)*) => {{{{ {body} }}}} }}"


def _comparing(name: str) -> str:
    body = (
        "let _w = ::[N]::Witness; match (&$l, &$r) { (l, r) => { "
        f"{_COMPARABLE}; ::[N]::{name}!(*l, *r $(, $($m)*)?); }} }}"
    )
    return f"macro_rules! {name} {{ ($l:expr, $r:expr $(, $($m:tt)*)? ) => {{{{ {body} }}}} }}"


def _pinned(name: str) -> str:
    primitive = "char" if name == "char" else name
    return _PINNED[name].replace("[TYPE]", f"::[N]::real::primitive::{primitive}")
