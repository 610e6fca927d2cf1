"""LiveCodeBench: dated contest problems, solved by whole programs or methods.

Hidden tests are JSON in a pickle, compressed by zlib, in base64. Unpickling can run arbitrary code: the
opcodes are parsed instead, and must push exactly one string.
"""

import base64
import json
import pickletools
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from steelyard.benchmarks.answers import PYTHON_EXTRACTION, fenced
from steelyard.benchmarks.plain_data import to_plain_data
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations
from steelyard.model.graded import Compare, FunctionCall, InputOutput

SECONDS_A_TEST = 6.0
WRAPPER = "steelyard_called"
# The official harness imports these names before an answer, and answers rely on it. Built-ins come late:
# `pow` must not be that of `math` or `operator`.
MODULES = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json"),
)
RECURSION_LIMIT = 50_000  # nested calls, as in the official harness
IMPORTS = (
    "".join(f"from {module} import *\n" for module in (*MODULES, "builtins", "typing"))
    + f"import {', '.join(MODULES)}\nsys.setrecursionlimit({RECURSION_LIMIT})\n"
)
MAX_TEST_BYTES = 1 << 30  # after decompression
TEXT_OPCODES = frozenset({"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"})
SAFE_OPCODES = TEXT_OPCODES | {"PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT", "STOP"}


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases, identical in both protocols: answers cannot read expected results."""
    del protocol
    for record in records:
        tests = [*json.loads(record["public_test_cases"]), *hidden_tests(record["private_test_cases"])]
        is_functional = tests[0]["testtype"] == "functional"
        expectations = _expect_results(record, tests) if is_functional else _expect_outputs(tests)
        yield Case(
            id=record["question_id"],
            suite=record["platform"],
            prompt=_make_prompt(record, is_functional=is_functional),
            language="python",
            timeout_s=(SECONDS_A_TEST + 1) * len(tests) + 5,
            tags=(f"date:{record['contest_date'][:10]}", record["difficulty"]),
            expectations=expectations,
        )


def hidden_tests(packed: str) -> list[dict[str, Any]]:
    """Decode packed tests, or plain JSON."""
    try:
        tests = json.loads(packed)
    except ValueError:
        tests = json.loads(text_of_pickle(_decompress(base64.b64decode(packed))))
    if not isinstance(tests, list):
        raise ValueError("packed tests must be a JSON list")  # noqa: TRY004  # an invalid record, as below
    return tests


def text_of_pickle(data: bytes) -> str:
    """Return a pickle's only string without unpickling; raise ValueError for other content."""
    steps = list(pickletools.genops(data))
    texts = [argument for step, argument, _ in steps if step.name in TEXT_OPCODES]
    others = {step.name for step, _, _ in steps} - SAFE_OPCODES
    if others or len(texts) != 1:
        details = ", ".join(sorted(others)) or len(texts)
        raise ValueError(f"packed tests must be one pickled string; found {details}")
    return str(texts[0])


def _decompress(data: bytes) -> bytes:
    decompressor = zlib.decompressobj()
    text = decompressor.decompress(data, MAX_TEST_BYTES)
    if decompressor.unconsumed_tail:
        raise ValueError("packed tests are too large")
    return text


def _make_prompt(record: Record, *, is_functional: bool) -> str:
    instruction = (
        f"Complete this class:\n\n{fenced(record['starter_code'])}"
        if is_functional
        else "Write a program that reads the standard input and prints the result."
    )
    return f"{record['question_content']}\n\n{instruction}\n\nAnswer with one Python code block."


def _expect_outputs(tests: list[dict[str, Any]]) -> Expectations:
    pairs = tuple(InputOutput(stdin=test["input"], stdout=test["output"]) for test in tests)
    return Expectations(io=pairs, compare=Compare.NUMBERS, tolerance=0.0, settings={"prefix": IMPORTS})


def _expect_results(record: Record, tests: list[dict[str, Any]]) -> Expectations:
    """Expect results of a wrapper, which calls the method of the answer's class."""
    name = json.loads(record["metadata"])["func_name"]
    calls = tuple(
        FunctionCall(
            args=tuple(to_plain_data(json.loads(line)) for line in test["input"].split("\n")),
            returns=to_plain_data(json.loads(test["output"])),
        )
        for test in tests
    )
    method = (
        f"def {WRAPPER}(*args):\n    result = Solution().{name}(*args)\n"
        f"    return list(result) if isinstance(result, tuple) else result\n"
    )
    return Expectations(function=WRAPPER, calls=calls, settings={"prefix": IMPORTS + method})


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
