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
        return "".join(f"{_name(answer)}: {_ending(answer)}\n" for answer in answers)
    return "\n".join(_whole(answer) for answer in answers)


def side_by_side(first: ShownAnswer, second: ShownAnswer, *, width: int) -> str:
    """Return two answers in two columns; `|` marks lines that differ, `<` and `>` those of one only."""
    half = max(20, (width - 3) // 2)
    heads = [_name(first)[:half].ljust(half) + "   " + _name(second)[:half]]
    heads.append(_ending(first)[:half].ljust(half) + "   " + _ending(second)[:half])
    rows = _rows(_text(first), _text(second), half)
    return "\n".join([*map(str.rstrip, heads), "-" * width, *rows]) + "\n"


def _rows(first: str, second: str, half: int) -> Iterator[str]:
    lines, right = _lines(first), _lines(second)
    for tag, a, b, c, d in SequenceMatcher(None, lines, right, autojunk=False).get_opcodes():
        for row in range(max(b - a, d - c)):
            item = lines[a + row] if a + row < b else ""
            other = right[c + row] if c + row < d else ""
            for part, beside in zip_longest(_pieces(item, half), _pieces(other, half), fillvalue=""):
                yield f"{part:<{half}} {MARKS[tag]} {beside}".rstrip()


def _pieces(line: str, width: int) -> list[str]:
    """Return a line in pieces that fit: what differs may stand at its end."""
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def _lines(text: str) -> list[str]:
    return [visible(line.expandtabs(4)) if line else "" for line in text.splitlines()]


def _whole(answer: ShownAnswer) -> str:
    parts = [f"{_name(answer)}: {_ending(answer)}"]
    if answer.prompt is not None:
        parts += ["", "prompt", RULE, *_lines(answer.prompt)]
    parts += ["", "answer", RULE, *_lines(_text(answer))]
    if answer.expected is not None:
        parts += ["", "expected", RULE, *_lines(answer.expected)]
    if answer.detail:
        parts += ["", "check", RULE, *_lines(answer.detail)]
    return "\n".join(parts) + "\n"


def _text(answer: ShownAnswer) -> str:
    return NOT_KEPT if answer.text is None else answer.text


def _name(answer: ShownAnswer) -> str:
    return f"{visible(answer.model)}@{visible(answer.tier)} {visible(answer.case)} attempt {answer.attempt}"


def _ending(answer: ShownAnswer) -> str:
    if answer.error is not None:
        return f"no answer: {visible(answer.error)}"
    return answer.classification or "not checked yet"
