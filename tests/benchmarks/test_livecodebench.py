"""LiveCodeBench: packed tests are read and never run, and both kinds of tasks can be checked."""

import base64
import json
import pickle
import zlib
from pathlib import Path

import pytest
from typing_extensions import override

import steelyard
from steelyard.benchmarks.livecodebench import hidden_tests, text_of_pickle
from steelyard.errors import InputError
from steelyard.model.outcome import Classification
from tests.benchmarks.test_shipped import kinds

TESTS = [{"input": "2\n", "output": "4\n", "testtype": "stdin"}]
RECORD = {
    "question_content": "Print twice the number.",
    "platform": "own",
    "question_id": "a",
    "contest_date": "2025-02-01T00:00:00",
    "starter_code": "",
    "difficulty": "easy",
    "public_test_cases": json.dumps([{"input": "1\n", "output": "2\n", "testtype": "stdin"}]),
    "metadata": "{}",
}
METHOD = {
    **RECORD,
    "question_id": "b",
    "starter_code": "class Solution:\n    def twice(self, n: int) -> int:\n        ",
    "public_test_cases": json.dumps([{"input": "1", "output": "2", "testtype": "functional"}]),
    "metadata": '{"func_name": "twice"}',
}
TWICE = "class Solution:\n    def twice(self, n: List[int]):\n        return {0} * n\n"


def packed(value: object) -> str:
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


class Harmful:
    """Writes a file when it is unpickled."""

    def __init__(self, place: str) -> None:
        self.place = place

    @override
    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        return open, (self.place, "w")


@pytest.mark.parametrize("private", [packed(json.dumps(TESTS)), json.dumps(TESTS)])
def test_hidden_tests_are_unpacked(private: str) -> None:
    assert hidden_tests(private) == TESTS


def test_a_pickle_that_would_run_something_is_refused_and_runs_nothing(tmp_path: Path) -> None:
    place = tmp_path / "written"

    with pytest.raises(ValueError, match="REDUCE"):
        hidden_tests(packed(Harmful(str(place))))

    assert not place.exists()


@pytest.mark.parametrize("value", [["a", "b"], {"a": 1}, 7, ("text",)])
def test_a_pickle_of_anything_but_one_text_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="one pickled string"):
        text_of_pickle(pickle.dumps(value))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_text_is_found_in_a_pickle_of_any_version(protocol: int) -> None:
    assert text_of_pickle(pickle.dumps("ä\n", protocol)) == "ä\n"


def test_programs_and_methods_are_checked_by_public_and_hidden_tests(tmp_path: Path) -> None:
    program = {**RECORD, "private_test_cases": packed(json.dumps(TESTS))}
    hidden = json.dumps([{"input": "3", "output": "6", "testtype": "functional"}])
    method = {**METHOD, "private_test_cases": packed(hidden)}
    lines = [json.dumps(record) for record in (program, method)]
    (tmp_path / "test.jsonl").write_text("\n".join(lines), encoding="utf-8")
    chosen = steelyard.BenchmarkOptions(data=tmp_path, since="2025-01-01")

    first, second = steelyard.load_benchmark("livecodebench/v1", chosen, notify=lambda _: None).cases

    right, wrong = Classification.PASS, Classification.FAIL
    assert kinds(first, "print(2 * int(input()))", "print(2)") == [right, wrong]
    assert kinds(second, TWICE.format(2), TWICE.format(3)) == [right, wrong]


PROGRAM = (
    "def depth(n):\n    return n and 1 + depth(n - 1)\n"
    "assert depth(5000) == 5000\nprint(pow(int(input()), 1, 100) * 2)"
)


def test_an_answer_finds_the_names_and_the_depth_that_contests_give_it(tmp_path: Path) -> None:
    """`pow` takes three arguments, recursion goes deep, and a tuple is a list: as in the official harness."""
    program = {**RECORD, "private_test_cases": json.dumps(TESTS)}
    pair = [{"input": "3", "output": "[3, 3]", "testtype": "functional"}]
    method = {**METHOD, "public_test_cases": json.dumps(pair), "private_test_cases": json.dumps(pair)}
    lines = [json.dumps(record) for record in (program, method)]
    (tmp_path / "test.jsonl").write_text("\n".join(lines), encoding="utf-8")
    chosen = steelyard.BenchmarkOptions(data=tmp_path)

    first, second = steelyard.load_benchmark("livecodebench/v1", chosen, notify=lambda _: None).cases

    returns = "class Solution:\n    def twice(self, n):\n        return {}\n"
    right, wrong = Classification.PASS, Classification.FAIL
    assert kinds(first, PROGRAM) == [right]
    assert kinds(second, returns.format("(n, n)"), returns.format("(n, n, n)")) == [right, wrong]


def test_tests_that_are_no_tests_are_refused_with_the_name_of_the_benchmark(tmp_path: Path) -> None:
    record = {**RECORD, "private_test_cases": packed(["x"])}
    (tmp_path / "test.jsonl").write_text(json.dumps(record), encoding="utf-8")

    with pytest.raises(InputError, match=r"livecodebench.*record"):
        steelyard.load_benchmark("livecodebench/v1", steelyard.BenchmarkOptions(data=tmp_path))
