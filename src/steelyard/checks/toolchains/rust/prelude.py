"""Write the prelude of graded tests: it pins the standard macros and types that the tests use."""

NONCE = "\x00nonce\x00"  # placeholder of the random name; not valid in Rust sources
COMPARABLE = f'::{NONCE}::comparable(l, r, "answer::{NONCE}::")'
QUIET = "#![allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, clippy::nursery)] "
_FORWARDED = (
    *("panic", "unreachable", "todo", "unimplemented", "matches", "vec", "format", "format_args", "print"),
    *("println", "eprint", "eprintln", "write", "writeln", "dbg", "concat", "stringify", "line", "column"),
    *("file", "module_path", "env", "option_env", "include", "include_str", "include_bytes", "thread_local"),
)
_COUNTED = ("assert", "debug_assert")
_EQUALITIES = ("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne")
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
# Type checks of names in tests: an answer that redefines one does not build.
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
    """Return the prelude of tests with these words, on one line.

    A module imports all of the answer; a test crate imports by name.
    """
    lines = [] if is_crate else ["use super::*;", *_real_crates(words)]
    lines += [_forwarding(name) for name in _FORWARDED if name in words]
    lines += [_count_assertion(name) for name in _COUNTED if name in words]
    compared = _count_assertion if own_equality else _check_types
    lines += [compared(name) for name in _EQUALITIES if name in words]
    lines += [_pinned(name) for name in _PINNED if name in words]
    return " ".join(lines).replace("[N]", NONCE) + " "


def _real_crates(words: set[str]) -> list[str]:
    """Make `std` and `core` refer to the crates, even if the answer has modules of that name."""
    lines = [f"use ::{name};" for name in ("std", "core") if name in words]
    if "std" in words:
        # If the answer renames itself `std`, these macros differ, and the use is ambiguous: a build error.
        lines.append("mod [N]_std { pub use ::std::*; pub use ::[N]::real::*; }")
        lines.append("const _: () = { [N]_std::assert!(true); };")
    return lines


def _forwarding(name: str) -> str:
    # `thread_local` is an item, which needs braces.
    arguments = "{ $($t)* }" if name == "thread_local" else "($($t)*)"
    return f"macro_rules! {name} {{ ($($t:tt)*) => {{ ::[N]::{name}!{arguments} }} }}"


def _count_assertion(name: str) -> str:
    body = f"let _w = ::[N]::Witness; ::[N]::{name}!($($t)*);"
    return f"macro_rules! {name} {{ ($($t:tt)*) => {{{{ {body} }}}} }}"


def _check_types(name: str) -> str:
    body = (
        "let _w = ::[N]::Witness; match (&$l, &$r) { (l, r) => { "
        f"{COMPARABLE}; ::[N]::{name}!(*l, *r $(, $($m)*)?); }} }}"
    )
    return f"macro_rules! {name} {{ ($l:expr, $r:expr $(, $($m:tt)*)? ) => {{{{ {body} }}}} }}"


def _pinned(name: str) -> str:
    primitive = "char" if name == "char" else name
    return _PINNED[name].replace("[TYPE]", f"::[N]::real::primitive::{primitive}")
