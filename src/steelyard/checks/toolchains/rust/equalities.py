"""Let `assert!(a == b)` in graded tests look at both types, as `assert_eq!` does.

Only the case's own text is read here. An assertion with more in it than one comparison stays as it is.
"""

from collections.abc import Iterator
from itertools import pairwise

from steelyard.checks.toolchains.rust.tokens import RustToken

_ASSERTIONS = {"assert", "debug_assert"}
_OPENING, _CLOSING = {"(", "[", "{"}, {")", "]", "}"}

Edit = tuple[int, int, str]


def equality_edits(found: list[RustToken], text: str, *, check: str) -> Iterator[Edit]:
    """Return what to write where, so that `check(l, r)` comes before each comparison."""
    for at in range(len(found) - 3):
        word, mark, opened = found[at : at + 3]
        if word.text in _ASSERTIONS and mark.text == "!" and opened.text == "(":
            yield from _one(_condition(found, at + 3), text, check)


def _condition(found: list[RustToken], at: int) -> tuple[list[tuple[int, RustToken]], RustToken] | None:
    """Return the tokens of an assertion's condition, each with its depth, and the token that ends it."""
    depth = 0
    inside: list[tuple[int, RustToken]] = []
    for token in found[at:]:
        is_mark = token.kind == "mark"
        if depth == 0 and is_mark and token.text in {")", ","}:
            return inside, token
        depth -= is_mark and token.text in _CLOSING
        inside.append((depth, token))
        depth += is_mark and token.text in _OPENING
    return None


def _one(
    condition: tuple[list[tuple[int, RustToken]], RustToken] | None, text: str, check: str
) -> Iterator[Edit]:
    """Return the edits of one assertion: none, if it is not a single comparison."""
    if condition is None or not condition[0]:
        return
    inside, end = condition
    outer = [token for depth, token in inside if depth == 0 and token.kind == "mark"]
    pairs = [
        (item, two)
        for item, two in pairwise(outer)
        if item.end == two.start and item.text + two.text in {"==", "!="}
    ]
    if len(pairs) != 1 or any(token.text in {"&", "|"} and _is_double(token, outer) for token in outer):
        return
    first, operator = inside[0][1].start, pairs[0]
    output = " ".join(text[first : end.start].split())
    compared = text[operator[0].start : operator[1].end]
    yield first, first, "match (&("
    yield operator[0].start, operator[1].end, "), &("
    message = "" if end.text == "," else f', "assertion failed: {{}}", r####"{output}"####'
    yield end.start, end.start, f")) {{ (l, r) => {{ {check}; *l {compared} *r }} }}{message}"


def _is_double(token: RustToken, outer: list[RustToken]) -> bool:
    """Whether a mark is half of `&&` or `||`, which join conditions."""
    return any(other.text == token.text and other.start == token.end for other in outer)
