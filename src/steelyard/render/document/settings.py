"""Show the warnings and settings of a report."""

from collections.abc import Iterator

from steelyard.model.report import Report
from steelyard.render.document.blocks import Name, Piece, Prose, Section, TextLine, Tone, line
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import level
from steelyard.render.words import (
    DUPLICATES_RULE,
    ERRORS_RULE,
    MISSING_RULE,
    SPREAD_RULE,
    counted,
    described,
)

WARNINGS_SHOWN = 20


def warnings_section(report: Report) -> Section:
    """Return the warnings, up to a limit."""
    lines = [line("warning: ", Prose(text), tone=Tone.WARNING) for text in report.warnings[:WARNINGS_SHOWN]]
    left_out = len(report.warnings) - len(lines)
    if left_out:
        lines.append(line(f"and {counted(left_out, 'more warning')}; --format json has all of them"))
    return Section(lines=tuple(lines))


def settings_section(report: Report) -> Section:
    """Return all settings that affect the numbers, on one line."""
    return Section(lines=(_settings(report),))


def _settings(report: Report) -> TextLine:
    settings = report.settings
    pieces: tuple[Piece, ...] = (
        "settings: scored by ",
        Prose(described(settings.scoring)),
        "; graded on the scale ",
        Name(settings.grade_scale),
        f"; {MISSING_RULE[settings.missing]}; {ERRORS_RULE[settings.errors]}",
        f"; {DUPLICATES_RULE[settings.duplicates]}; {SPREAD_RULE[settings.spread]}",
        f"; intervals at {level(settings.level)}",
        "; expected cases: ",
        Prose(settings.expected_from),
        *_only_if_used(report),
        "; made by ",
        Prose(report.generator),
    )
    return line(*pieces, tone=Tone.QUIET)


def _only_if_used(report: Report) -> Iterator[Piece]:
    if report.settings.stop_rule is not None:
        yield from ("; sampling of a case stopped by the rule ", Name(report.settings.stop_rule))
    if Labels.of(report).has_tiers:
        yield from ("; baseline tier ", Name(report.settings.baseline_tier))
    if report.settings.suite_weights:
        weights = sorted(report.settings.suite_weights.items())
        yield from ("; suite weights ", Prose(", ".join(f"{name} = {weight:g}" for name, weight in weights)))
