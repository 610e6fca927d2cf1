"""Show what a pass costs if every case goes to the subject that solves it most cheaply."""

from steelyard.model.report import Report
from steelyard.model.report_runs import Frontier
from steelyard.render.document.blocks import Section, Tone, line
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count, in_percent, usd
from steelyard.render.words import counted


def frontier_section(report: Report) -> Section:
    """Return the frontier cost of a pass, where there are tiers or an expert's price was given."""
    frontier, labels = report.frontier, Labels.of(report)
    if frontier is None or (frontier.expert_usd is None and not labels.has_tiers):
        return Section()
    expected = max(subject.coverage.expected for subject in report.subjects)
    tone = Tone.QUIET if frontier.infinite else Tone.PLAIN
    return Section(lines=(line(f"frontier: {_frontier(frontier, labels.noun, expected)}", tone=tone),))


def _frontier(found: Frontier, noun: str, expected: int) -> str:
    cases = counted(found.cases, "case")
    if found.cases < expected:
        cases = f"the {count(found.cases)} of {counted(expected, 'case')} that every {noun} has samples of"
    if found.value is None:
        return (
            f"not defined over {cases}: no {noun} passes {found.unsolved} of them; "
            f"say what an expert takes for a case with --expert-usd"
        )
    range_ = "" if found.smoothed is None else f" (smoothed {usd(found.smoothed)})"
    decided = f"; an expert's price decides {found.capped} ({in_percent(found.capped / found.cases)})"
    expert = "" if found.expert_usd is None else f"{decided}, at {usd(found.expert_usd)} each"
    return (
        f"a pass costs {usd(found.value)}{range_} over {cases} if each goes to the cheapest {noun}{expert}; "
        f"compare it only with one of as many samples"
    )
