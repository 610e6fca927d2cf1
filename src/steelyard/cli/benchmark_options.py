"""Options that choose the tasks of a public benchmark, for `run` and `benchmarks`."""

from pathlib import Path
from typing import Annotated

from steelyard.cli import options
from steelyard.model.benchmark import ProtocolKind

benchmark = options.in_panel("Public benchmarks")

BenchmarkName = Annotated[
    str | None, benchmark("Such as humaneval+, or humaneval-x/go for a part of one.", metavar="NAME")
]
Data = Annotated[
    Path | None, benchmark("Your own copy of its data: a file, or a folder of them.", metavar="PATH")
]
Protocol = Annotated[
    ProtocolKind,
    benchmark("official: its own rule; strict: ours where they differ, out of reach of answers."),
]
Since = Annotated[str | None, benchmark("Only tasks from this day on, if they have dates.", metavar="DAY")]
Until = Annotated[str | None, benchmark("Only tasks up to this day.", metavar="DAY")]
Canary = Annotated[
    int, benchmark("Add so many cases that only a model passes which knows the tasks by heart.", min=0)
]
Packages = Annotated[
    Path | None,
    benchmark("A list of pinned packages that its answers import.", "--benchmark-packages", metavar="FILE"),
]
Tasks = Annotated[
    int | None, benchmark("So many tasks, evenly spread.", "--benchmark-tasks", min=1, metavar="NUMBER")
]
