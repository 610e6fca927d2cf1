"""LiveCodeBench: contest problems with dates, as whole programs or as methods; tests are packed.

Hidden tests are base64 of zlib of a pickle of JSON. A pickle can run anything, so it is never loaded: its
opcodes are read, and only one that pushes a single text is taken.
"""

import base64
import json
import pickletools
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.plain_data import tagged
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall, InputOutput

SECONDS_A_TEST = 6.0
CALLED = "steelyard_called"
# Answers to contests take for granted what the official harness puts before them, names and all. Built-ins
# come late: `pow` is neither that of `math` nor that of `operator`.
MODULES = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json"),
)
DEEPEST = 50_000  # calls within calls, as there
IMPORTS = (
    "".join(f"from {module} import *\n" for module in (*MODULES, "builtins", "typing"))
    + f"import {', '.join(MODULES)}\nsys.setrecursionlimit({DEEPEST})\n"
)
LARGEST = 1 << 30  # bytes that packed tests may unfold to
TEXTS = frozenset({"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"})
HARMLESS = TEXTS | {"PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT", "STOP"}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Turn records into cases, by the same rule in both protocols: what is expected stays outside."""
    del protocol
    for record in records:
        tests = [*json.loads(record["public_test_cases"]), *hidden_tests(record["private_test_cases"])]
        by_calls = tests[0]["testtype"] == "functional"
        made = _calls(record, tests) if by_calls else _programs(tests)
        yield Case(
            id=record["question_id"],
            suite=record["platform"],
            prompt=_prompt(record, by_calls=by_calls),
            language="python",
            timeout_s=(SECONDS_A_TEST + 1) * len(tests) + 5,
            tags=(f"date:{record['contest_date'][:10]}", record["difficulty"]),
            expectations=made,
        )


def hidden_tests(packed: str) -> list[dict[str, Any]]:
    """Return packed tests; those that are JSON already are taken as they are."""
    try:
        found = json.loads(packed)
    except ValueError:
        found = json.loads(text_of_pickle(_unpacked(base64.b64decode(packed))))
    if not isinstance(found, list):
        raise ValueError("the tests are no list")  # noqa: TRY004  # the record's fault, as the others
    return found


def text_of_pickle(data: bytes) -> str:
    """Return the one text that a pickle holds, without loading it; anything else is refused."""
    steps = list(pickletools.genops(data))
    texts = [argument for step, argument, _ in steps if step.name in TEXTS]
    others = {step.name for step, _, _ in steps} - HARMLESS
    if others or len(texts) != 1:
        raise ValueError(f"packed tests hold more than one text: {', '.join(sorted(others)) or len(texts)}")
    return str(texts[0])


def _unpacked(data: bytes) -> bytes:
    unfold = zlib.decompressobj()
    found = unfold.decompress(data, LARGEST)
    if unfold.unconsumed_tail:
        raise ValueError("packed tests are too large")
    return found


def _prompt(record: Record, *, by_calls: bool) -> str:
    how = (
        f"Complete this class:\n\n{fenced(record['starter_code'])}"
        if by_calls
        else "Write a program that reads the standard input and prints the result."
    )
    return f"{record['question_content']}\n\n{how}\n\nAnswer with one Python code block."


def _programs(tests: list[dict[str, Any]]) -> Expectations:
    pairs = tuple(InputOutput(stdin=one["input"], stdout=one["output"]) for one in tests)
    return Expectations(io=pairs, compare=Compare.NUMBERS, tolerance=0.0, settings={"prefix": IMPORTS})


def _calls(record: Record, tests: list[dict[str, Any]]) -> Expectations:
    """Return calls of a function of ours before the answer, which calls the method of its class."""
    name = json.loads(record["metadata"])["func_name"]
    calls = tuple(
        FunctionCall(
            args=tuple(tagged(json.loads(line)) for line in one["input"].split("\n")),
            returns=tagged(json.loads(one["output"])),
        )
        for one in tests
    )
    method = (
        f"def {CALLED}(*given):\n    found = Solution().{name}(*given)\n"
        f"    return list(found) if isinstance(found, tuple) else found\n"
    )
    return Expectations(function=CALLED, calls=calls, settings={"prefix": IMPORTS + method})


BENCHMARK = Benchmark(
    name="livecodebench",
    version="release_v6",
    tasks=1055,
    languages=("python",),
    licence="code MIT; problems are of their contests",
    address="hub:livecodebench/code_generation_lite",
    revision="0fe84c3912ea0c4d4a78037083943e8f0c4dd505",
    files=tuple(
        BenchmarkFile(path=f"test{number}.jsonl", part=f"v{number or 1}", sha256=digest)
        for number, digest in {
            "": "2bd02b38beb48e8c46b5b9987095d999ff38cd8efc255ea5d58974317c48f63f",
            "2": "095df7c5daf15f882c51a9deb84085cff1e073495a5dbcf95015a564d485f3a3",
            "3": "28ed26cc83363ce3f1fe2d5fad9f8393077beb1907b167a31bd3b32f80801b79",
            "4": "d711138ddaebfcf5f8ec6a4283ee677298c0f5c5d374a235af92aaf0584510da",
            "5": "7f77571c2a6df0c2a72a3277650309f67e01e0008e18117e624633df53f81214",
            "6": "bb4c364f71921c4495a6ad15abe1a927350b720009f4933e2e71f8af0f6fd1f5",
        }.items()
    ),
    protocol=Protocol(
        name="LiveCodeBench",
        prompt="the problem, and a sentence of ours that asks for a program or for the class",
        extraction=PYTHON_EXTRACTION,
        tests="public and hidden ones: inputs and outputs of a program, or calls of a method",
        limits="(6 + 1) s for each test and 5 s, for all of a task (upstream also 6 s for each)",
        comparison="outputs by words, numbers as numbers; results of methods by ==, a tuple as a list",
        passes="all tests give what is expected",
    ),
    cases=cases,
    needs="the extra hub, or a copy of your own",
)
