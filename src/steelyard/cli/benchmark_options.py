"""Options of public benchmarks, for `run` and `benchmarks`."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import steelyard
from steelyard.cli import options
from steelyard.errors import UserError
from steelyard.model.benchmark import ProtocolKind

benchmark = options.in_panel("Public benchmarks")

BenchmarkName = Annotated[
    str | None,
    benchmark("A benchmark, such as humaneval+, or a part, such as humaneval-x/go.", metavar="NAME"),
]
Data = Annotated[Path | None, benchmark("Your copy of its data: a file or folder.", metavar="PATH")]
Protocol = Annotated[
    ProtocolKind,
    benchmark("Rules: official (the benchmark's), or strict (Steelyard's where they differ)."),
]
Since = Annotated[str | None, benchmark("Only tasks from this day on, for dated benchmarks.", metavar="DAY")]
Until = Annotated[str | None, benchmark("Only tasks up to this day.", metavar="DAY")]
Canary = Annotated[int, benchmark("Add N cases that only a model trained on the tasks passes.", min=0)]
Packages = Annotated[
    Path | None,
    benchmark("A file of pinned packages for its answers.", "--benchmark-packages", metavar="FILE"),
]
Python = Annotated[
    str,
    benchmark("Python version of these packages.", "--benchmark-python", metavar="VERSION"),
]
Tasks = Annotated[
    int | None, benchmark("At most N tasks, evenly spread.", "--benchmark-tasks", min=1, metavar="NUMBER")
]
Tries = Annotated[
    int | None,
    benchmark(
        "Tries per task, each with the errors of the last one. Default: as in the protocol.",
        min=1,
        metavar="NUMBER",
    ),
]


@dataclass(frozen=True, kw_only=True)
class PublicTasks:
    """Options that select a public benchmark."""

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
        """Reject options that have no effect without --benchmark."""
        for field in fields(self):
            if getattr(self, field.name) != field.default:
                option = f"--{field.name.replace('_', '-')}"
                raise UserError(f"{option} requires --benchmark: add that, or remove {option}")

    def options(self, *, sandbox: str, unsafe_no_sandbox: bool) -> "steelyard.BenchmarkOptions":
        """Make the options of `steelyard.load_benchmark`."""
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
