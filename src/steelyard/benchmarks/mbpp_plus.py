"""MBPP+: 378 tasks of MBPP with 35 times as many tests."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks import evalplus
from steelyard.model.benchmark import Benchmark, BenchmarkFile, ProtocolKind, Record
from steelyard.model.case import Case


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases, identical in both protocols: answers cannot tamper with calls."""
    del protocol
    for record in records:
        prompt = f"Write this Python function. Answer with one Python code block.\n\n{record['prompt']}"
        yield evalplus.plus_case(record, prompt=prompt, settings={})


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
    computes_expected=True,
)
