"""HumanEval: complete 164 Python functions from signature and docstring."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations

TIMEOUT_S = {ProtocolKind.OFFICIAL: 3.0, ProtocolKind.STRICT: 60.0}
INSTRUCTION = "Complete this Python function. Answer with the whole function in one Python code block."


def prompt_of(record: Record) -> str:
    """Make the prompt of a record."""
    return f"{INSTRUCTION}\n\n{fenced(record['prompt'])}"


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases; a function body alone is a valid answer."""
    for record in records:
        yield Case(
            id=record["task_id"],
            prompt=prompt_of(record),
            language="python",
            timeout_s=TIMEOUT_S[protocol],
            expectations=Expectations(
                tests=record["test"],
                settings={"entry_point": record["entry_point"], "prefix": record["prompt"]},
            ),
            reference=fenced(record["prompt"] + record["canonical_solution"]),
        )


BENCHMARK = Benchmark(
    name="humaneval",
    version="2021-07",
    tasks=164,
    languages=("python",),
    licence="MIT",
    address="https://raw.githubusercontent.com/openai/human-eval/{revision}/data",
    revision="6d43fb980f9fee3c892a914eda09951f772ad10d",
    files=(
        BenchmarkFile(
            path="HumanEval.jsonl.gz",
            sha256="b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
        ),
    ),
    protocol=Protocol(
        name="HumanEval",
        prompt="one sentence of ours, then the signature and the docstring of the record",
        extraction=PYTHON_EXTRACTION,
        tests="the record's own `check`, after the prompt and the answer",
        limits="3 s for all of a task",
        comparison="the assertions of the tests",
        passes="the program of prompt, answer and tests runs to its end without an exception",
        strict="60 s for all of a task",
    ),
    cases=cases,
)
