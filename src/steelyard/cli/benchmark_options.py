"""Options that choose the tasks of a public benchmark, for `run` and `benchmarks`."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import steelyard
from steelyard.cli import options
from steelyard.errors import UserError
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
    benchmark("official: its own rules; strict: Steelyard's where they differ."),
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
Python = Annotated[
    str,
    benchmark("The version of Python for these packages.", "--benchmark-python", metavar="VERSION"),
]
Tasks = Annotated[
    int | None, benchmark("So many tasks, evenly spread.", "--benchmark-tasks", min=1, metavar="NUMBER")
]
Tries = Annotated[
    int | None,
    benchmark(
        "Tries at a task, each of which sees why the last one failed; by default those of its protocol.",
        min=1,
        metavar="NUMBER",
    ),
]


@dataclass(frozen=True, kw_only=True)
class PublicTasks:
    """Which public benchmark is run, and by which rule."""

    benchmark: BenchmarkName = None
    benchmark_data: Data = None
    protocol: Protocol = ProtocolKind.OFFICIAL
    since: Since = None
    until: Until = None
    canary: Canary = 0
    benchmark_packages: Packages = None
    benchmark_python: Python = ""
    tries: Tries = None

    def require_unused(self) -> None:
        """Refuse options without a benchmark that they could change: they were meant to have an effect."""
        for field in fields(self):
            if getattr(self, field.name) != field.default:
                option = f"--{field.name.replace('_', '-')}"
                raise UserError(f"{option} has an effect with --benchmark only; add that, or leave it out")

    def options(self, *, sandbox: str, unsafe_no_sandbox: bool) -> "steelyard.BenchmarkOptions":
        """Return the options for `steelyard.load_benchmark`."""
        return steelyard.BenchmarkOptions(
            data=self.benchmark_data,
            protocol=self.protocol,
            since=self.since,
            until=self.until,
            canaries=self.canary,
            packages=self.benchmark_packages,
            python=self.benchmark_python,
            tries=self.tries,
            sandbox=sandbox,
            unsafe_no_sandbox=unsafe_no_sandbox,
        )
