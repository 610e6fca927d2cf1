"""ClassEval: 100 classes in Python, each from a skeleton with docstrings."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.python_imports import imported_packages
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations

TIMEOUT_S = 60.0


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases."""
    del protocol
    for record in records:
        imports = "\n".join(record["import_statement"])
        solution = f"{imports}\n{record['solution_code']}"
        instruction = "Complete this Python class. Answer with the whole class in one Python code block."
        yield Case(
            id=record["task_id"],
            prompt=f"{instruction}\n\n{fenced(record['skeleton'])}",
            language="python",
            timeout_s=TIMEOUT_S,
            tags=tuple(f"needs:{name}" for name in imported_packages(solution, record["test"])),
            expectations=Expectations(
                tests=f"{imports}\n{record['test']}",
                types=(record["class_name"],),
            ),
            reference=fenced(solution),
        )


BENCHMARK = Benchmark(
    name="classeval",
    version="2024-01",
    tasks=100,
    languages=("python",),
    licence="MIT",
    address="https://raw.githubusercontent.com/FudanSELab/ClassEval/{revision}/data",
    revision="eaeac44d0d5dcd8a95feec50726d66fedc73a98f",
    files=(
        BenchmarkFile(
            path="ClassEval_data.json",
            sha256="50a1ac0e4d0c238573c10c0ab11feae00b14a80ae9e4c9cc28148707ecf0b6a2",
        ),
    ),
    protocol=Protocol(
        name="ClassEval holistic",
        prompt="one sentence of ours, then the skeleton of the class",
        extraction=PYTHON_EXTRACTION,
        tests="the record's `unittest` classes, after its imports",
        limits="60 s",
        comparison="the assertions of the tests",
        passes="all tests of all classes pass",
    ),
    cases=cases,
    needs="packages for some tasks: --benchmark-packages",
    failing_references={
        "ClassEval_17": "its tests compare with a day that has passed, by the clock",
        "ClassEval_48": "its tests want the name of the machine to be known, which needs a network",
        "ClassEval_52": "its words are data of nltk, which are in no package",
    },
)
