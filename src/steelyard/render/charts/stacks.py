"""Draw one stacked bar for each subject: samples by outcome, cases by share of passes."""

from collections.abc import Mapping, Sequence

from steelyard.model.outcome import FAILURES, Classification
from steelyard.model.report import CaseSummary, Report
from steelyard.render.charts.markup import Markup, joined, tag
from steelyard.render.charts.names import named, subject_name
from steelyard.render.charts.ranking import rate
from steelyard.render.charts.rows import SHARE_AXIS, Head, Row, bar, legend, row_chart, square
from steelyard.render.charts.subjects import RankedSubject, cases_by_subject, ranked_subjects
from steelyard.render.document.labels import Labels
from steelyard.render.words import KIND_OF_FAILURE, counted

MOST = 40
FLAKY_SHOWN = 10

CONSISTENCY: Mapping[str, str] = {
    "always": "every sample passed",
    "sometimes": "some passed",
    "never": "none passed",
}


def failure_kinds(report: Report) -> Markup | None:
    """Return the samples of each subject by outcome; None without samples."""
    subjects = [ranked for ranked in ranked_subjects(report) if ranked.subject.samples]
    if not subjects:
        return None
    kinds = [kind for kind in FAILURES if any(ranked.subject.failures.get(kind) for ranked in subjects)]
    parts = {"pass": "passed", **{kind.value: KIND_OF_FAILURE[kind] for kind in kinds}}
    rows = [
        _row(ranked, _outcome_counts(ranked, kinds), parts, ranked.subject.samples)
        for ranked in subjects[:MOST]
    ]
    heads = (Head(title="samples", is_wide=True), Head(title="failed"))
    caption = joined(_legend("k", parts), " Share of samples, without infrastructure errors.")
    return row_chart(caption, SHARE_AXIS, rows, heads=heads, name=Labels.of(report).noun)


def steadiness(report: Report) -> Markup:
    """Return how often samples of a case agree, and the flakiest cases."""
    return joined(case_consistency(report), flaky_cases(report))


def case_consistency(report: Report) -> Markup | None:
    """Return in how many cases all, some or no samples passed.

    None if every case has one sample, or if a stop rule determines the consistency.
    """
    if report.settings.stop_rule is not None:
        return None
    cases = cases_by_subject(report)
    subjects = [ranked for ranked in ranked_subjects(report) if any(case.n > 1 for case in cases[ranked.key])]
    if not subjects:
        return None
    rows = []
    for ranked in subjects[:MOST]:
        counts = _consistency(cases[ranked.key])
        total = sum(counts.values())
        cells = (f"{total:,}", rate(counts["sometimes"] / total))
        rows.append(Row(name=ranked.label, marks=_segments(counts, CONSISTENCY, total, "w"), cells=cells))
    heads = (Head(title="cases", is_wide=True), Head(title="mixed"))
    caption = joined(_legend("w", CONSISTENCY), " Share of cases with evidence.")
    return row_chart(caption, SHARE_AXIS, rows, heads=heads, name=Labels.of(report).noun)


def flaky_cases(report: Report) -> Markup | None:
    """Return the cases whose samples disagree most; None without any, or with a stop rule."""
    if report.settings.stop_rule is not None:
        return None
    flakiest = sorted((case for case in report.cases if 0 < case.c < case.n), key=_flakiness)[:FLAKY_SHOWN]
    if not flakiest:
        return None
    labels = Labels.of(report)
    rows = [
        tag(
            "tr",
            tag("th", named(case.case), scope="row"),
            tag("td", subject_name(case.model, case.tier, labels)),
            tag("td", f"{case.c:,} of {case.n:,}", class_="number"),
        )
        for case in flakiest
    ]
    head = (
        tag("th", "flakiest cases", scope="col"),
        tag("th", labels.noun, scope="col"),
        tag("th", "passed", scope="col", class_="number"),
    )
    total = sum(0 < case.c < case.n for case in report.cases)
    table = tag("table", tag("thead", tag("tr", head)), tag("tbody", rows), class_="plain")
    return tag(
        "figure",
        table,
        tag("figcaption", f"{counted(len(flakiest), 'row')} of {total:,} in which samples disagree."),
    )


def _flakiness(case: CaseSummary) -> tuple[float, int, str, str, str]:
    """Sort by distance from a pass rate of one half, then by number of samples."""
    return (abs(case.c / case.n - 0.5), -case.n, case.case, case.model, case.tier)


def _outcome_counts(ranked: RankedSubject, kinds: Sequence[Classification]) -> dict[str, int]:
    failures = ranked.subject.failures
    return {"pass": ranked.subject.passed, **{kind.value: failures.get(kind, 0) for kind in kinds}}


def _consistency(cases: Sequence[CaseSummary]) -> dict[str, int]:
    seen = [case for case in cases if case.n]
    always, never = sum(case.c == case.n for case in seen), sum(case.c == 0 for case in seen)
    return {"always": always, "sometimes": len(seen) - always - never, "never": never}


def _row(ranked: RankedSubject, counts: Mapping[str, int], parts: Mapping[str, str], total: int) -> Row:
    failed = 1 - counts["pass"] / total
    return Row(
        name=ranked.label, marks=_segments(counts, parts, total, "k"), cells=(f"{total:,}", rate(failed))
    )


def _segments(counts: Mapping[str, int], parts: Mapping[str, str], total: int, prefix: str) -> list[Markup]:
    bars, start = [], 0.0
    for part, words in parts.items():
        width = counts[part] / total if total else 0.0
        if width:
            text = f"{words}: {counts[part]:,} ({rate(width)})"
            bars.append(bar(start, start + width, f"{prefix}-{part}", height=18, title=text))
        start += width
    return bars


def _legend(prefix: str, parts: Mapping[str, str]) -> Markup:
    return legend(*((square(f"{prefix}-{part}"), words) for part, words in parts.items()))
