"""Describe a public benchmark: where its data come from, and by which protocol its numbers are made.

Only descriptions: `benchmarks/` turns records into cases, `sources/benchmark_data` gets the data.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from steelyard.model.case import Case

FILE_KEY = "file"  # in a record: the name of the file that it came from
HUB = "hub:"  # begins the address of a dataset on the Hugging Face hub

Record = Mapping[str, Any]


class ProtocolKind(StrEnum):
    """Whose rule decides."""

    OFFICIAL = "official"  # the benchmark's own, so that a number compares with published ones
    STRICT = "strict"  # ours where they differ: more time, stricter comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How the numbers of a benchmark are made, in words that a report and a page show."""

    name: str  # such as EvalPlus
    prompt: str
    extraction: str
    tests: str
    limits: str
    comparison: str
    passes: str  # the official rule: when an answer passes
    strict: str = ""  # what the strict protocol does otherwise; empty: nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkFile:
    """A file of a benchmark; one without a digest is kept as it was fetched first, and not pinned."""

    path: str  # below the address
    sha256: str = ""
    part: str = ""  # the part of the benchmark that it holds, such as a language
    kept_as: str = ""  # its name on this machine; empty: as at the address
    # Of an archive, which a service may pack anew: the digest is that of the members below its top folder
    # whose path matches this pattern. Empty: of the file itself.
    members: str = ""

    @property
    def name(self) -> str:
        """Its name on this machine, without folders."""
        return self.kept_as or self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A public benchmark: what a plug-in is.

    `cases` is pure: records of the files in, cases out, each with its reference if there is one. Where
    `asks_reference` is set, their calls lack what is expected, which is what the reference returns.
    """

    name: str
    version: str
    tasks: int
    languages: tuple[str, ...]
    licence: str
    address: str  # where the files are, with `{revision}` in it; or `hub:owner/name`
    revision: str
    files: tuple[BenchmarkFile, ...]
    protocol: Protocol
    cases: Callable[[Iterable[Record], ProtocolKind], Iterator[Case]]
    needs: str = ""  # what the check needs besides a sandbox
    computes_expected: bool = False
    only_data: bool = False  # cases can be read, and not be checked yet
    tries: int = 1  # how many answers to a task; a further one sees what failed
    # References that fail although they are right, by case, each with the reason.
    failing_references: Mapping[str, str] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts that can be run by themselves, as `name/part`."""
        return tuple(dict.fromkeys(file.part for file in self.files if file.part))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBenchmark:
    """The benchmark and the protocol of a run, for its report."""

    name: str
    version: str
    protocol: str
    kind: ProtocolKind
    tasks: int  # of the run
    of_tasks: int  # of the whole benchmark


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceCopies:
    """How many answers of one subject equal the reference of their case, but for blanks and the prompt."""

    model: str
    tier: str
    compared: int
    equal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSummary:
    """The benchmark of a run in its report: `tasks` of `of_tasks`, and the protocol.

    `sampling` is `greedy` at temperature 0, and `recorded answers` where a record stood in for the models:
    it does not say how they were generated. `copies` is about answers that equal their reference.
    """

    name: str
    version: str
    protocol: str
    kind: ProtocolKind
    sampling: str
    tasks: int
    of_tasks: int
    copies: tuple[ReferenceCopies, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingReference:
    """A reference that did not pass, and why, if that is known."""

    case: str
    kind: str
    detail: str
    reason: str = ""  # empty: not explained


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What came of the references of a benchmark, and of answers that do nothing."""

    benchmark: Benchmark
    run: RunBenchmark
    references: int
    without_reference: int
    failing: tuple[FailingReference, ...]
    empty: int
    passing_empty: tuple[str, ...]  # cases
    seconds: int

    @property
    def passing(self) -> int:
        """How many references pass."""
        return self.references - len(self.failing)

    @property
    def is_explained(self) -> bool:
        """Whether every reference that fails is known to, and no answer passes that does nothing."""
        return all(reference.reason for reference in self.failing) and not self.passing_empty
