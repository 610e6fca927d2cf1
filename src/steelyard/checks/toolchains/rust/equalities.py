"""Make `assert!(a == b)` in graded tests check both types, as `assert_eq!` does.

Only the case's tests are read. Assertions with more than one comparison are unchanged.
"""

from collections.abc import Iterator
from itertools import pairwise

from steelyard.checks.toolchains.rust.tokens import RustToken

_ASSERTIONS = {"assert", "debug_assert"}
_OPENING, _CLOSING = {"(", "[", "{"}, {")", "]", "}"}

Edit = tuple[int, int, str]


def equality_edits(tokens: list[RustToken], text: str, *, check: str) -> Iterator[Edit]:
    """Yield edits that insert `check(l, r)` before each comparison."""
    for at in range(len(tokens) - 3):
        word, mark, opened = tokens[at : at + 3]
        if word.text in _ASSERTIONS and mark.text == "!" and opened.text == "(":
            yield from _edit_assertion(_condition(tokens, at + 3), text, check)


def _condition(tokens: list[RustToken], at: int) -> tuple[list[tuple[int, RustToken]], RustToken] | None:
    """Return the tokens of an assertion's condition with their depths, and the token after it."""
    depth = 0
    inside: list[tuple[int, RustToken]] = []
    for token in tokens[at:]:
        is_mark = token.kind == "mark"
        if depth == 0 and is_mark and token.text in {")", ","}:
            return inside, token
        depth -= is_mark and token.text in _CLOSING
        inside.append((depth, token))
        depth += is_mark and token.text in _OPENING
    return None


def _edit_assertion(
    condition: tuple[list[tuple[int, RustToken]], RustToken] | None, text: str, check: str
) -> Iterator[Edit]:
    """Yield the edits of an assertion, if it is a single comparison."""
    if condition is None or not condition[0]:
        return
    inside, end = condition
    outer = [token for depth, token in inside if depth == 0 and token.kind == "mark"]
    pairs = [
        (first, second)
        for first, second in pairwise(outer)
        if first.end == second.start and first.text + second.text in {"==", "!="}
    ]
    if len(pairs) != 1 or any(token.text in {"&", "|"} and _is_double(token, outer) for token in outer):
        return
    start, operator = inside[0][1].start, pairs[0]
    condition_text = " ".join(text[start : end.start].split())
    compared = text[operator[0].start : operator[1].end]
    yield start, start, "match (&("
    yield operator[0].start, operator[1].end, "), &("
    message = "" if end.text == "," else f', "assertion failed: {{}}", r####"{condition_text}"####'
    yield end.start, end.start, f")) {{ (l, r) => {{ {check}; *l {compared} *r }} }}{message}"


def _is_double(token: RustToken, outer: list[RustToken]) -> bool:
    """Whether a token is half of `&&` or `||`."""
    return any(other.text == token.text and other.start == token.end for other in outer)
