"""Write what stands before graded tests: the real macros and types, under the names that the tests use.

Only the case's own text decides what is needed; macros and types of the standard library are pinned.
"""

NONCE = "\x00nonce\x00"  # where the random name of a check goes; no Rust source can hold it
COMPARABLE = f'::{NONCE}::comparable(l, r, "answer::{NONCE}::")'
QUIET = "#![allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)] "
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


def prelude(words: set[str], *, own_equality: bool, is_crate: bool) -> str:
    """Return what stands before tests that hold these words, all on one line.

    A crate of its own sees of the answer what it imports by name; a module sees all.
    """
    lines = [] if is_crate else ["use super::*;", *_real_crates(words)]
    lines += [_forwarding(name) for name in _FORWARDED if name in words]
    lines += [_witnessing(name) for name in _WITNESSED if name in words]
    compared = _witnessing if own_equality else _comparing
    lines += [compared(name) for name in _COMPARED if name in words]
    lines += [_pinned(name) for name in _PINNED if name in words]
    return " ".join(lines).replace("[N]", NONCE) + " "


def _real_crates(words: set[str]) -> list[str]:
    """Return the lines by which `std` and `core` mean the crates, though the answer has modules called so."""
    lines = [f"use ::{name};" for name in ("std", "core") if name in words]
    if "std" in words:
        # An answer may rename itself `std`; then these two are not the same macro, and using it is an error.
        lines.append("mod [N]_std { pub use ::std::*; pub use ::[N]::real::*; }")
        lines.append("const _: () = { [N]_std::assert!(true); };")
    return lines


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
        f"{COMPARABLE}; ::[N]::{name}!(*l, *r $(, $($m)*)?); }} }}"
    )
    return f"macro_rules! {name} {{ ($l:expr, $r:expr $(, $($m:tt)*)? ) => {{{{ {body} }}}} }}"


def _pinned(name: str) -> str:
    primitive = "char" if name == "char" else name
    return _PINNED[name].replace("[TYPE]", f"::[N]::real::primitive::{primitive}")
