"""Repair the form of an answer: take the requested text out of fences, prose and small slips.

Only the form: what an answer says is never changed. Repairs are reported, so they can be counted apart.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from steelyard.checks.extraction.fences import blocks
from steelyard.checks.forms.text.demands import names_in
from steelyard.checks.forms.text.repair import FENCE, PROSE, repaired_json
from steelyard.model.case import Case

LONGEST = 200_000  # characters; more is not looked at
LONGEST_WORDS = 10_000  # as above, where one character after the other is taken off
_AROUND = "\"'`*_\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb \t\r\n"
MARKS = "quotes, marks or a full stop around it"


@dataclass(frozen=True, slots=True, kw_only=True)
class LenientAnswer:
    """An answer in the form that was asked for, and what it took."""

    text: str
    repairs: tuple[str, ...]


def repaired(case: Case, answer: str) -> LenientAnswer | None:
    """Return an answer in the form that its case asks for, or None if there is nothing to repair."""
    settings = case.expectations.settings
    repair = next((function for name, function in REPAIRERS.items() if name in settings), None)
    if repair is None or len(answer) > LONGEST:
        return None
    result = repair(answer, case)
    return result if result is not None and result.text.strip() not in {"", answer.strip()} else None


def _json(answer: str, case: Case) -> LenientAnswer | None:
    del case  # any JSON looks the same
    result = repaired_json(answer)
    return (
        None if result is None else LenientAnswer(text=json.dumps(result.json.value), repairs=result.repairs)
    )


def _csv(answer: str, case: Case) -> LenientAnswer | None:
    """Take the lines from the header on, as long as they have as many commas as it."""
    fenced = _only_block(answer)
    header = ",".join(names_in(case.expectations.settings["csv_columns"]))
    lines = (fenced or answer).replace("\r\n", "\n").split("\n")
    begin = next((index for index, line in enumerate(lines) if line.replace('"', "").strip() == header), None)
    if begin is None:
        return None
    kept = []
    for line in lines[begin:]:
        if line.count(",") < header.count(","):
            break
        kept.append(line)
    return LenientAnswer(text="\n".join(kept), repairs=(FENCE if fenced else PROSE,))


def _markup(answer: str, case: Case) -> LenientAnswer | None:
    del case  # any markup begins and ends the same way
    fenced = _only_block(answer)
    text = fenced or answer
    begin, end = text.find("<"), text.rfind(">")
    if begin < 0 or end < begin:
        return None
    return LenientAnswer(text=text[begin : end + 1], repairs=(FENCE if fenced else PROSE,))


def _words(answer: str, case: Case) -> LenientAnswer:
    """Take off what people put around a word; what the expected text itself has there stays."""
    expected = case.expectations.settings["exact"].strip()
    fenced = _only_block(answer)
    text = (fenced or answer).strip()
    while (
        len(text) <= LONGEST_WORDS
        and text
        and text != expected
        and (text[0] in _AROUND or text[-1] in _AROUND + ".。!")
    ):
        text = text[1:] if text[0] in _AROUND else text[:-1]
    return LenientAnswer(text=text, repairs=(FENCE if fenced else MARKS,))


def _only_block(answer: str) -> str | None:
    fenced_blocks = blocks(answer)
    return fenced_blocks[0].text if len(fenced_blocks) == 1 else None


REPAIRERS: Mapping[str, Callable[[str, Case], LenientAnswer | None]] = {
    "json_schema": _json,
    "csv_columns": _csv,
    "xml": _markup,
    "html": _markup,
    "exact": _words,
}
