"""Say in plain words what a reader of the numbers must know about how they came about.

One sentence each, in a stable order; a report without surprises has none.
"""

from collections import Counter
from collections.abc import Sequence

from steelyard.model.options import Duplicates, Errors, Missing, ReportOptions
from steelyard.model.report import SubjectSummary
from steelyard.model.state import BlankCells, Evidence, Repeats
from steelyard.model.verdict import NOT_INDEPENDENT

MOST_REPEATS = 0.05  # of the samples, above which a reader should know
MISSING_WORDS = {
    Missing.FAIL: "counted as failures (--missing skip leaves them out)",
    Missing.SKIP: "left out of every mean (--missing fail counts them as failures)",
    Missing.ERROR: "refused",
}
ERROR_WORDS = {
    Errors.EXCLUDE: "are no evidence and were left out (--errors fail counts them as failures)",
    Errors.FAIL: "were counted as failures (--errors exclude leaves them out)",
}
DUPLICATE_WORDS = {
    Duplicates.ERROR: "equal to one that was counted and dropped",
    Duplicates.FIRST: "dropped in favour of the earlier row for the same attempt",
    Duplicates.LAST: "dropped in favour of the later row for the same attempt",
}


def warnings_of(
    summaries: Sequence[SubjectSummary], evidence: Evidence, options: ReportOptions
) -> tuple[str, ...]:
    """Return what the reader must know."""
    result = [*_about_blanks(evidence.blank), *_about_tiers(summaries, options)]
    result += [warning for summary in summaries for warning in _about(summary, options)]
    result += _about_repeats(evidence)
    if evidence.spreads is None:
        result.append("medians, modes and extremes were left out for size; --statistics full computes them")
    if options.stop_rule is not None and any(
        subject_summary.mean_latency_s.value is not None for subject_summary in summaries
    ):
        result.append(
            "times are those of the samples drawn: the stop rule drew hard cases more often than easy ones"
        )
    return tuple(result)


def _about_repeats(evidence: Evidence) -> list[str]:
    repeats: Counter[tuple[str, str]] = Counter()
    samples: Counter[tuple[str, str]] = Counter()
    for state in evidence.states:
        samples[state.subject] += state.n
        repeats[state.subject] += evidence.repeats.get(state.key, Repeats()).samples
    return [
        f"{model} ({tier}): {NOT_INDEPENDENT}: {repeats[model, tier]} of {samples[model, tier]} repeat an "
        f"answer, which gates and re-run intervals count once"
        for model, tier in repeats
        if repeats[model, tier] > MOST_REPEATS * samples[model, tier]
    ]


def _about_blanks(blank: BlankCells | None) -> list[str]:
    if blank is None:
        return []
    where = f"column {blank.column!r} is empty in {_many(blank.count, 'row')}"
    return [f"{where}, as if the check broke; fill it in where the sample passed or failed"]


def _about_tiers(summaries: Sequence[SubjectSummary], options: ReportOptions) -> list[str]:
    tiers = {summary.tier for summary in summaries}
    if len(tiers) < 2 or options.baseline_tier in tiers:  # noqa: PLR2004  # an uplift is between two
        return []
    known = ", ".join(sorted(tiers))
    lacking = f"there is no baseline tier {options.baseline_tier!r} (tiers: {known})"
    return [f"{lacking}; name one with --baseline-tier to get uplifts"]


def _about(summary: SubjectSummary, options: ReportOptions) -> list[str]:
    subject, coverage = f"{summary.model} ({summary.tier})", summary.coverage
    unlinted = summary.unlinted_samples if options.lints else 0
    counts = [
        (coverage.missing, "case", f"without a sample, {MISSING_WORDS[options.missing]}"),
        (
            coverage.errored,
            "sample",
            f"ended in an infrastructure error: these {ERROR_WORDS[options.errors]}",
        ),
        (coverage.unknown, "case", "not on the list of cases, left out"),
        (coverage.duplicate, "row", DUPLICATE_WORDS[options.duplicates]),
        (summary.untested_samples, "sample", "built but ran no test, so that the tests part is 0"),
        (unlinted, "sample", "without a lint result, which is left out of the score"),
        (summary.unpriced_samples, "sample", "without a known cost, so that no total is given"),
    ]
    return [f"{subject}: {_many(count, noun)} {text}" for count, noun, text in counts if count]


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
