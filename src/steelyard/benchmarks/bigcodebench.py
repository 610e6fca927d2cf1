"""BigCodeBench and its Hard subset: functions that use many libraries."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.python_imports import imported_packages
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations

TIMEOUT_S, MEMORY_MB = 240.0, 8192
NETWORK = "it or its tests use the network, and a sandbox has none"
PROGRAM = "it starts a program called `python`, which a sandbox does not show"
WORDS = "its words are data of nltk, which are in no package"
OLD_NUMPY = "it wants numpy 1.21 and scipy 1.7, which no Python from 3.11 on can load"
UNBUILT = "it imports a package without a wheel, and only wheels are installed"
FAILING_FOR = {
    NETWORK: (101, 147, 176, 314, 590, 1005, 1006, 1012, 1038, 1040),
    PROGRAM: (1101, 1103, 1104),
    WORDS: (177, 290, 332, 334, 376, 383, 633, 635, 655, 658, 726, 734, 806, 808, 849, 940, 1109),
    OLD_NUMPY: (111, 276),
    UNBUILT: (59, 933),
    "its tests want numpy, which the task does not name": (541,),  # without --benchmark-packages
}
FAILING = {f"BigCodeBench/{task}": reason for reason, tasks in FAILING_FOR.items() for task in tasks}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases."""
    del protocol
    for record in records:
        start = record.get("complete_prompt") or record["prompt"]
        solution = f"{start}\n{record['canonical_solution']}"
        instruction = "Complete this Python function. Answer with the whole program in one Python code block."
        yield Case(
            id=record["task_id"],
            prompt=f"{instruction}\n\n{fenced(start)}",
            language="python",
            timeout_s=TIMEOUT_S,
            memory_mb=MEMORY_MB,
            tags=tuple(f"needs:{name}" for name in imported_packages(solution, record["test"])),
            expectations=Expectations(tests=record["test"], settings={"module": "__test__"}),
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
        tests="the record's `unittest` class",
        limits="240 s and 8 GiB (upstream 30 GiB of address space)",
        comparison="the assertions of the tests",
        passes="all tests of the class pass",
    ),
    cases=cases,
    needs="packages: --benchmark-packages; without them, 300 tasks of the standard library",
    failing_references=FAILING,
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
