"""MBPP+: 378 tasks of MBPP with 35 times as many tests."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks import evalplus
from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Turn records into cases, by the same rule in both protocols: calls are out of an answer's reach."""
    del protocol
    for record in records:
        yield Case(
            id=record["task_id"],
            prompt=f"Write this Python function. Answer with one Python code block.\n\n{record['prompt']}",
            language="python",
            timeout_s=evalplus.TIMEOUT_S,
            memory_mb=evalplus.MEMORY_MB,
            expectations=evalplus.plus_expectations(record, {}),
            reference=fenced(record["prompt"] + record["canonical_solution"]),
        )


BENCHMARK = Benchmark(
    name="mbpp+",
    version="v0.2.0",
    tasks=378,
    languages=("python",),
    licence="Apache-2.0",
    address="https://github.com/evalplus/mbppplus_release/releases/download/{revision}",
    revision="v0.2.0",
    files=(
        BenchmarkFile(
            path="MbppPlus.jsonl.gz",
            sha256="af43697e8791c4c149bdfd6b489d8b5412507551ac20e28a439f650b8225db63",
        ),
    ),
    protocol=evalplus.PROTOCOL,
    cases=cases,
    asks_reference=True,
)
