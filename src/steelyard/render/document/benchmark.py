"""Report the benchmark and protocol of a run, and how many answers equal the reference."""

from steelyard.model.benchmark import BenchmarkSummary, ProtocolKind
from steelyard.model.report import Report
from steelyard.render.document.blocks import Prose, Section, line
from steelyard.render.document.labels import Labels
from steelyard.render.numbers import count
from steelyard.render.words import counted


def benchmark_section(report: Report) -> Section:
    """Return the protocol, and for each subject the number of answers equal to the reference."""
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


def benchmark_text(summary: BenchmarkSummary) -> str:
    """Return benchmark, protocol and sampling on one line.

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
    strict = " made strict" if summary.kind is ProtocolKind.STRICT else ""
    part = "" if summary.tasks == summary.of_tasks else f", {summary.tasks} of {summary.of_tasks} tasks"
    return f"{summary.name} {summary.version}, {summary.protocol} protocol{strict}, {summary.sampling}{part}"
