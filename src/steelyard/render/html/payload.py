"""Pack the cases and samples of a report for page.js: as compressed columns, within a size limit.

To fit, the number of samples per case is reduced first, then their length; cases are never dropped.
"""

import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from zlib import compressobj

from steelyard.model.report import CaseSummary, Report
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey, SubjectKey
from steelyard.render.charts.markup import Markup
from steelyard.render.charts.subjects import cases_by_subject, ranked_subjects
from steelyard.render.document.trust import integrity_words
from steelyard.render.html.page import data
from steelyard.render.names import visible

SAMPLES_SIZE = 6_000_000  # characters of all samples in the page
CHUNK = 200_000  # characters of samples in a compressed block
STEPS = ((10, 4_000), (5, 2_000), (3, 1_000), (1, 1_000), (1, 400), (1, 100))  # samples per case, characters
GZIP = 31
LEVEL = 6
MILLI = 1_000
NANO = 10**9

Rows = Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """The data blocks of a page, and their number of samples."""

    blocks: tuple[Markup, ...]
    samples: int


def payload(report: Report, samples: Sequence[SampleExcerpt] = ()) -> Payload:
    """Return the data of the table of cases."""
    # Sorted by case: the initial sort order of the table.
    keys = sorted({(case.suite, case.case) for case in report.cases}, key=lambda key: (key[1], key[0]))
    rows = {key: row for row, key in enumerate(keys)}
    starts, chunks, shown = _fitting(samples, rows, report)
    table = {**_table(report, rows), "starts": starts, "samples": shown}
    blocks = (_packed("table", table), *(data(f"samples-{index}", text) for index, text in enumerate(chunks)))
    return Payload(blocks=blocks, samples=shown)


def _table(report: Report, rows: Rows) -> dict[str, object]:
    suites = sorted({suite for suite, _ in rows})
    numbers = {suite: number for number, suite in enumerate(suites)}
    columns: dict[tuple[str, str], list[CaseSummary | None]] = {
        key: [None] * len(rows) for key in cases_by_subject(report)
    }
    for case in report.cases:
        columns[case.model, case.tier][rows[case.suite, case.case]] = case
    return {
        "subjects": [[visible(model), visible(tier)] for model, tier in columns],
        "suites": [visible(suite) for suite in suites],
        "cases": [visible(case) for _, case in rows],
        "suite": [numbers[suite] for suite, _ in rows],
        "columns": [_column(cases) for cases in columns.values()],
    }


def _column(cases: Sequence[CaseSummary | None]) -> dict[str, list[int | None]]:
    """Return the numbers of one subject by case; null if the subject lacks the case."""
    return {
        "n": [case.n if case else None for case in cases],
        "c": [case.c if case else None for case in cases],
        "errored": [case.errored if case else 0 for case in cases],
        "score": [_scaled(case.mean_score if case else None, MILLI) for case in cases],
        "cost": [_scaled(case.cost_usd if case else None, NANO) for case in cases],
        "latency": [_scaled(case.mean_latency_s if case else None, MILLI) for case in cases],
    }


def _scaled(value: float | None, unit: int) -> int | None:
    return None if value is None else round(value * unit)


def _fitting(
    samples: Sequence[SampleExcerpt], rows: Rows, report: Report
) -> tuple[list[int], list[str], int]:
    """Return the first row of each chunk, the chunks, and their number of samples."""
    number = {ranked.key: index for index, ranked in enumerate(ranked_subjects(report))}
    by_case: defaultdict[CaseKey, list[SampleExcerpt]] = defaultdict(list)
    for sample in samples:
        if (sample.key.suite, sample.key.case) in rows and SubjectKey(*sample.key[:2]) in number:
            by_case[sample.key].append(sample)
    ordered = sorted(
        (
            (rows[key.suite, key.case], number[SubjectKey(key.model, key.tier)], case_samples)
            for key, case_samples in by_case.items()
        ),
        key=lambda entry: entry[:2],
    )
    for most, longest in STEPS if ordered else ():
        starts, chunks = _chunks(ordered, most, longest)
        if sum(map(len, chunks)) <= SAMPLES_SIZE:
            return starts, chunks, sum(min(most, len(case_samples)) for _, _, case_samples in ordered)
    return [], [], 0


def _chunks(
    ordered: Sequence[tuple[int, int, Sequence[SampleExcerpt]]], most: int, longest: int
) -> tuple[list[int], list[str]]:
    starts: list[int] = []
    chunks: list[str] = []
    current: dict[int, list[object]] = {}
    size = 0
    for row, subject, samples in ordered:
        if size > CHUNK and row not in current:
            chunks.append(_compressed(current))
            current, size = {}, 0
        if not current:
            starts.append(row)
        kept = [_sample(subject, sample, longest) for sample in islice(samples, most)]
        texts, lengths = _texts(samples[0].about, longest)
        about = [subject, texts, *([lengths] if any(lengths) else [])]
        current.setdefault(row, []).extend([*kept, *([about] if any(texts) else [])])
        size += sum(len(sample.text or "") + len(sample.detail) for sample in islice(samples, most))
        size += sum(map(len, texts))
    return starts, [*chunks, _compressed(current)]


def _sample(subject: int, sample: SampleExcerpt, longest: int) -> list[object]:
    text, text_length = _truncated(sample.text or "", longest, sample.text_length)
    detail, detail_length = _truncated(sample.detail, longest, sample.detail_length)
    return [
        subject,
        sample.attempt,
        sample.classification,
        _scaled(sample.score, MILLI),
        sample.tests_passed,
        sample.tests_failed,
        sample.lint_warnings,
        sample.diagnostic_errors,
        _scaled(sample.cost_usd, NANO),
        _scaled(sample.latency_s, MILLI),
        None if sample.text is None else text,
        text_length,
        detail,
        detail_length,
        *([words] if (words := integrity_words(sample)) else []),
    ]


def _texts(about: CaseTexts | None, longest: int) -> tuple[list[str], list[int]]:
    """Return prompt, expectation, tests and reference of a case, truncated, and their lengths."""
    if about is None:
        return [], []
    whole = (about.prompt, about.expected, about.tests, about.reference)
    truncated = [_truncated(text, longest) for text in whole]
    return [text for text, _ in truncated], [length for _, length in truncated]


def _truncated(text: str, longest: int, length: int = 0) -> tuple[str, int]:
    """Return a text up to a length, and its full length if truncated, else 0.

    page.js cannot compute the length: it counts UTF-16 units of a text with escaped characters.
    """
    kept, whole = text[:longest], max(length, len(text))
    return _readable(kept), whole if whole > len(kept) else 0


def _readable(text: str) -> str:
    """Escape invisible characters, except line breaks and tabs."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "\n".join(_escaped(line) for line in text.replace("\r\n", "\n").split("\n"))


def _escaped(line: str) -> str:
    return "\t".join(visible(part) if part else "" for part in line.split("\t"))


def _packed(name: str, content: object) -> Markup:
    return data(name, _compressed(content))


def _compressed(content: object) -> str:
    """Return JSON, compressed reproducibly, in base64."""
    packer = compressobj(LEVEL, wbits=GZIP)
    raw = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return b64encode(packer.compress(raw) + packer.flush()).decode()
