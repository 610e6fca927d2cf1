"""MBPP: small Python functions from a sentence and three assertions; test split, all, sanitized."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations

TIMEOUT_S = {ProtocolKind.OFFICIAL: 3.0, ProtocolKind.STRICT: 60.0}
TEST_SPLIT = range(11, 511)  # 1 to 10 are prompt examples, from 511 on training data

SLOW = "takes 6 s of processor time, where the official limit is 3 s"


def all_cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records of either file to cases; the prompt's tests show the function's name."""
    for record in records:
        assertions = record["test_list"]
        setup = [record.get("test_setup_code", ""), *record.get("test_imports", [])]
        task = record.get("text") or record["prompt"]
        instruction = f"Write Python code for this task: {task}\nIt must pass these tests:"
        yield Case(
            id=f"mbpp/{record['task_id']}",
            prompt=f"{instruction}\n\n{fenced(chr(10).join(assertions))}\nAnswer with one Python code block.",
            language="python",
            timeout_s=TIMEOUT_S[protocol],
            expectations=Expectations(
                tests="\n".join([*setup, *assertions, *record.get("challenge_test_list", [])]),
            ),
            reference=fenced(record["code"]),
        )


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert the records of the test split to cases."""
    return all_cases((record for record in records if record["task_id"] in TEST_SPLIT), protocol)


BENCHMARK = Benchmark(
    name="mbpp",
    version="2021-08",
    tasks=500,
    languages=("python",),
    licence="CC-BY-4.0",
    address="https://raw.githubusercontent.com/google-research/google-research/{revision}/mbpp",
    revision="015539128d9a7dbe14b5f5308a198a15da808949",
    files=(
        BenchmarkFile(
            path="mbpp.jsonl",
            sha256="ccf64ceae9c5403bf50a044cb6d505bfd2a2963ee58338ba268fd65beab92a9f",
        ),
    ),
    protocol=Protocol(
        name="MBPP",
        prompt="one sentence of ours with the text of the record, then its three assertions",
        extraction=PYTHON_EXTRACTION,
        tests="the assertions of the record, those of `challenge_test_list` too",
        limits="3 s for all of a task",
        comparison="the assertions of the tests",
        passes="the answer and then all assertions run without an exception",
        strict="60 s for all of a task",
    ),
    cases=cases,
    failing_references={"mbpp/123": SLOW},
)
ALL = replace(
    BENCHMARK,
    name="mbpp-all",
    tasks=974,
    cases=all_cases,
)
SANITIZED = replace(
    BENCHMARK,
    name="mbpp-sanitized",
    tasks=427,
    cases=all_cases,
    files=(
        BenchmarkFile(
            path="sanitized-mbpp.json",
            sha256="ca95deaa9a01ef0a6f439f88bcf0dd3db3563d22f22aad6cae04ebb9a8d8c8e9",
        ),
    ),
)
