"""Repair the format of an answer: extract it from fences and prose, and fix small syntax errors.

Content is never changed. Repairs are reported.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from steelyard.checks.extraction.fences import blocks
from steelyard.checks.forms.text.repair import FENCE, PROSE, repaired_json
from steelyard.checks.forms.text.requirements import names_in
from steelyard.model.case import Case

LONGEST = 200_000  # characters; longer answers are not repaired
LONGEST_WORDS = 10_000  # as above, for quadratic repairs
_AROUND = "\"'`*_\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb \t\r\n"
MARKS = "quotes, marks or a full stop around it"


@dataclass(frozen=True, slots=True, kw_only=True)
class LenientAnswer:
    """An answer in the required format, and the repairs."""

    text: str
    repairs: tuple[str, ...]


def repaired(case: Case, answer: str) -> LenientAnswer | None:
    """Return an answer in the required format; None if nothing was repaired."""
    settings = case.expectations.settings
    repair = next((function for name, function in REPAIRERS.items() if name in settings), None)
    if repair is None or len(answer) > LONGEST:
        return None
    lenient = repair(answer, case)
    return lenient if lenient is not None and lenient.text.strip() not in {"", answer.strip()} else None


def _json(answer: str, case: Case) -> LenientAnswer | None:
    del case
    repaired_value = repaired_json(answer)
    if repaired_value is None:
        return None
    return LenientAnswer(text=json.dumps(repaired_value.json.value), repairs=repaired_value.repairs)


def _csv(answer: str, case: Case) -> LenientAnswer | None:
    """Extract the lines from the header on that have at least as many commas."""
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
    del case
    fenced = _only_block(answer)
    text = fenced or answer
    begin, end = text.find("<"), text.rfind(">")
    if begin < 0 or end < begin:
        return None
    return LenientAnswer(text=text[begin : end + 1], repairs=(FENCE if fenced else PROSE,))


def _words(answer: str, case: Case) -> LenientAnswer:
    """Strip quotes and punctuation that the expected text does not have."""
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
