"""HumanEval+: HumanEval with 80 times as many tests, and Mini with fewer."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from steelyard.benchmarks import evalplus
from steelyard.benchmarks.humaneval import prompt_of
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases, identical in both protocols: answers cannot tamper with calls."""
    del protocol
    for record in records:
        yield evalplus.plus_case(record, prompt=prompt_of(record), settings={"prefix": record["prompt"]})


BENCHMARK = Benchmark(
    name="humaneval+",
    version="v0.1.10",
    tasks=164,
    languages=("python",),
    licence="Apache-2.0",
    address="https://github.com/evalplus/humanevalplus_release/releases/download/{revision}",
    revision="v0.1.10",
    files=(
        BenchmarkFile(
            path="HumanEvalPlus.jsonl.gz",
            sha256="272720b90ac375502c8ed23cd791c2a93dfb22a911641a494da74a426c09f101",
        ),
    ),
    protocol=evalplus.PROTOCOL,
    cases=cases,
    computes_expected=True,
)
MINI = replace(
    BENCHMARK,
    name="humaneval+mini",
    files=(
        BenchmarkFile(
            path="HumanEvalPlus-Mini.jsonl.gz",
            sha256="91486741f1627101021fbe50523df08eebb5b0bf5e804b633dcd5ca3c14dbd2f",
        ),
    ),
)
