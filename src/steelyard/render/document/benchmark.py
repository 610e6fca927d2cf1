"""Say which public benchmark a run is about, by which protocol, and how many answers are its references."""

from steelyard.model.benchmark import BenchmarkSummary, ProtocolKind
from steelyard.model.report import Report
from steelyard.render.document.blocks import Prose, Section, line
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import counted


def benchmark_section(report: Report) -> Section:
    """Return the protocol in one line, and a line for each subject whose answers could be compared."""
    benchmark = report.benchmark
    if benchmark is None:
        return Section()
    labels = Labels.of(report)
    copies = (
        line(
            "equal to the reference",
            *labels.if_several(copy, report),
            f": {count(copy.equal)} of {counted(copy.compared, 'answer')}",
        )
        for copy in benchmark.copies
    )
    return Section(lines=(line("benchmark: ", Prose(benchmark_text(benchmark))), *copies))


def benchmark_text(found: BenchmarkSummary) -> str:
    """Return benchmark, protocol and sampling in a line.

    >>> benchmark_text(
    ...     BenchmarkSummary(
    ...         name="humaneval+",
    ...         version="v0.1.10",
    ...         protocol="EvalPlus",
    ...         kind=ProtocolKind.OFFICIAL,
    ...         sampling="greedy",
    ...         tasks=164,
    ...         of_tasks=164,
    ...     )
    ... )
    'humaneval+ v0.1.10, EvalPlus protocol, greedy'
    """
    strict = " made strict" if found.kind is ProtocolKind.STRICT else ""
    part = "" if found.tasks == found.of_tasks else f", {found.tasks} of {found.of_tasks} tasks"
    return f"{found.name} {found.version}, {found.protocol} protocol{strict}, {found.sampling}{part}"
