"""Render stored answers as text: one after the other, or two side by side."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from steelyard.model.listed_run import ShownAnswer
from steelyard.render.names import visible

RULE = "-" * 72
NOT_STORED = "(the answer was not stored)"
MARKS = {"equal": " ", "replace": "|", "delete": "<", "insert": ">"}


def answers_as_text(answers: Sequence[ShownAnswer], *, with_text: bool) -> str:
    """Return a line for each answer; `with_text` adds prompt, answer and check output."""
    if not with_text:
        return "".join(f"{_label(answer)}: {_status(answer)}\n" for answer in answers)
    return "\n".join(_with_text(answer) for answer in answers)


def side_by_side(first: ShownAnswer, second: ShownAnswer, *, width: int) -> str:
    """Return two columns; `|` marks lines that differ, `<` and `>` lines that only one answer has."""
    half = max(20, (width - 3) // 2)
    heads = [
        line_of(first)[:half].ljust(half) + "   " + line_of(second)[:half] for line_of in (_label, _status)
    ]
    rows = _rows(_text(first), _text(second), half)
    return "\n".join([*map(str.rstrip, heads), "-" * width, *rows]) + "\n"


def _rows(first: str, second: str, half: int) -> Iterator[str]:
    left, right = _lines(first), _lines(second)
    for change, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for row in range(max(b - a, d - c)):
            left_line = left[a + row] if a + row < b else ""
            right_line = right[c + row] if c + row < d else ""
            wrapped = zip_longest(_wrap(left_line, half), _wrap(right_line, half), fillvalue="")
            for left_part, right_part in wrapped:
                yield f"{left_part:<{half}} {MARKS[change]} {right_part}".rstrip()


def _wrap(line: str, width: int) -> list[str]:
    """Wrap a line instead of truncating it: the difference may be at its end."""
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]


def _lines(text: str) -> list[str]:
    return [visible(line.expandtabs(4)) if line else "" for line in text.splitlines()]


def _with_text(answer: ShownAnswer) -> str:
    parts = [f"{_label(answer)}: {_status(answer)}"]
    if answer.prompt is not None:
        parts += ["", "prompt", RULE, *_lines(answer.prompt)]
    parts += ["", "answer", RULE, *_lines(_text(answer))]
    if answer.expected is not None:
        parts += ["", "expected", RULE, *_lines(answer.expected)]
    if answer.detail:
        parts += ["", "check", RULE, *_lines(answer.detail)]
    return "\n".join(parts) + "\n"


def _text(answer: ShownAnswer) -> str:
    return NOT_STORED if answer.text is None else answer.text


def _label(answer: ShownAnswer) -> str:
    return f"{visible(answer.model)}@{visible(answer.tier)} {visible(answer.case)} attempt {answer.attempt}"


def _status(answer: ShownAnswer) -> str:
    if answer.error is not None:
        return f"no answer: {visible(answer.error)}"
    return answer.classification or "not checked yet"
