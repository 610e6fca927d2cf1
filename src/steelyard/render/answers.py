"""Write single answers as text: one after the other, or two side by side."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from steelyard.model.listed_run import ShownAnswer
from steelyard.render.names import visible

RULE = "-" * 72
NOT_KEPT = "(no answer is kept)"
MARKS = {"equal": " ", "replace": "|", "delete": "<", "insert": ">"}


def answers_as_text(answers: Sequence[ShownAnswer], *, with_text: bool) -> str:
    """Return answers: a line each, or, `with_text`, with prompt, answer and what the check saw."""
    if not with_text:
        return "".join(f"{_name(one)}: {_ending(one)}\n" for one in answers)
    return "\n".join(_whole(one) for one in answers)


def side_by_side(first: ShownAnswer, second: ShownAnswer, *, width: int) -> str:
    """Return two answers in two columns; `|` marks lines that differ, `<` and `>` those of one only."""
    half = max(20, (width - 3) // 2)
    heads = [_name(first)[:half].ljust(half) + "   " + _name(second)[:half]]
    heads.append(_ending(first)[:half].ljust(half) + "   " + _ending(second)[:half])
    rows = _rows(_text(first), _text(second), half)
    return "\n".join([*map(str.rstrip, heads), "-" * width, *rows]) + "\n"


def _rows(first: str, second: str, half: int) -> Iterator[str]:
    left, right = _lines(first), _lines(second)
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for row in range(max(b - a, d - c)):
            one = left[a + row] if a + row < b else ""
            other = right[c + row] if c + row < d else ""
            for part, beside in zip_longest(_pieces(one, half), _pieces(other, half), fillvalue=""):
                yield f"{part:<{half}} {MARKS[tag]} {beside}".rstrip()


def _pieces(line: str, width: int) -> list[str]:
    """Return a line in pieces that fit: what differs may stand at its end."""
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def _lines(text: str) -> list[str]:
    return [visible(line.expandtabs(4)) if line else "" for line in text.splitlines()]


def _whole(one: ShownAnswer) -> str:
    parts = [f"{_name(one)}: {_ending(one)}"]
    if one.prompt is not None:
        parts += ["", "prompt", RULE, *_lines(one.prompt)]
    parts += ["", "answer", RULE, *_lines(_text(one))]
    if one.expected is not None:
        parts += ["", "expected", RULE, *_lines(one.expected)]
    if one.detail:
        parts += ["", "check", RULE, *_lines(one.detail)]
    return "\n".join(parts) + "\n"


def _text(one: ShownAnswer) -> str:
    return NOT_KEPT if one.text is None else one.text


def _name(one: ShownAnswer) -> str:
    return f"{visible(one.model)}@{visible(one.tier)} {visible(one.case)} attempt {one.attempt}"


def _ending(one: ShownAnswer) -> str:
    if one.error is not None:
        return f"no answer: {visible(one.error)}"
    return one.classification or "not checked yet"
