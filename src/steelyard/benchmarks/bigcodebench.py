"""BigCodeBench: functions that use many libraries, with tests that patch objects; Hard is a part."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.python_imports import imported_packages
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Isolation

TIMEOUT_S, MEMORY_MB = 240.0, 8192


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Turn records into cases; both protocols grade in one process, which the tests need."""
    del protocol
    for record in records:
        start = record.get("complete_prompt") or record["prompt"]
        solution = f"{start}\n{record['canonical_solution']}"
        asked = "Complete this Python function. Answer with the whole program in one Python code block."
        yield Case(
            id=record["task_id"],
            prompt=f"{asked}\n\n{fenced(start)}",
            language="python",
            timeout_s=TIMEOUT_S,
            memory_mb=MEMORY_MB,
            tags=tuple(f"needs:{name}" for name in imported_packages(solution, record["test"])),
            expectations=Expectations(
                tests=record["test"],
                isolation=Isolation.SHARED,
                settings={"module": "__test__", "runner": "direct"},
            ),
            reference=fenced(solution),
        )


BENCHMARK = Benchmark(
    name="bigcodebench",
    version="2024-06",
    tasks=1140,
    languages=("python",),
    licence="Apache-2.0",
    address="https://raw.githubusercontent.com/bigcode-project/bigcodebench-annotation/{revision}/data",
    revision="a3b89850db670d7302571142b881e4f85eef18e3",
    files=(
        BenchmarkFile(
            path="BigCodeBench.jsonl.gz",
            sha256="720f1378fa4bed69a67432b0e5aa14684e60cd7e7a69fa12ebac1d1a592d6e2a",
        ),
    ),
    protocol=Protocol(
        name="BigCodeBench complete",
        prompt="one sentence of ours, then the imports, the signature and the docstring of the record",
        extraction=PYTHON_EXTRACTION,
        tests="the record's `unittest` class, in one process with the answer",
        limits="240 s and 8 GiB (upstream 30 GiB of address space)",
        comparison="the assertions of the tests",
        passes="all tests of the class pass",
    ),
    cases=cases,
    needs="packages: --benchmark-packages; without, 300 tasks of the standard library",
    failing_references={
        "BigCodeBench/30": "its tests write outside of the one folder that a sandbox gives to an answer",
        "BigCodeBench/176": "it asks for names of the network, and a sandbox has none",
        "BigCodeBench/314": "it calls an address of the network, and a sandbox has none",
        "BigCodeBench/541": "its tests want numpy, which the task does not name",
        "BigCodeBench/1005": "it fetches a file from the network, and a sandbox has none",
        "BigCodeBench/1038": "its tests open sockets, and a sandbox has no network",
        "BigCodeBench/1101": "it starts a program called `python`, which a sandbox does not show",
        "BigCodeBench/1103": "it starts a program called `python`, which a sandbox does not show",
        "BigCodeBench/1104": "it starts a program called `python`, which a sandbox does not show",
        "BigCodeBench/147": "it opens sockets, and a sandbox has no network",
        "BigCodeBench/785": "it writes outside of the one folder that a sandbox gives to an answer",
        "BigCodeBench/1040": "its tests open sockets, and a sandbox has no network",
    },
)
HARD = replace(
    BENCHMARK,
    name="bigcodebench-hard",
    tasks=148,
    address="https://raw.githubusercontent.com/QwenLM/Qwen3-Coder/{revision}",
    revision="0ae30f55e9d6c47ff763c334f99c135ad68915dd",
    files=(
        BenchmarkFile(
            path="qwencoder-eval/base/benchmarks/bigcodebench/data/bigcodebench_hard.json",
            sha256="5e7a87ff1085eafb13b2d570277bcb53dba68201717b4fc987a3f2b86a23869c",
        ),
    ),
)
