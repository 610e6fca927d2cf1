"""Every shipped benchmark turns records of its form into cases, and the references of these pass."""

import io
import json
import re
import tarfile
from pathlib import Path

import pytest

import steelyard
from steelyard.model.case import Case
from steelyard.model.outcome import Classification
from steelyard.plugins import BENCHMARKS
from steelyard.runner.check.checkers import Checkers
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.benchmarks.records import write_records

WITH_RECORDS = [
    *("humaneval", "humaneval+", "mbpp-all", "mbpp+", "cruxeval", "classeval", "bigcodebench"),
    *(f"humaneval-x/{part}" for part in ("cpp", "go", "java", "js", "python", "rust")),
    *(f"mceval/{part}" for part in ("CPP", "Go", "JavaScript", "Python")),
]
# A record of each language, and an answer to it that is right.
MULTIPL_E = {
    "js": ("function twice(n){\n", "function test() {\n  assert.deepEqual(twice(2),4);\n}\n\ntest();"),
    "ts": (
        "function twice(n: number): number {\n",
        (
            "declare var require: any;\nconst assert = require('node:assert');\nfunction test() {\n"
            "  assert.deepEqual(twice(2),4);\n}\n\ntest();"
        ),
    ),
    "cpp": (
        "#include<assert.h>\n#include<bits/stdc++.h>\nlong twice(long n) {\n",
        "}\nint main() {\n    auto candidate = twice;\n    assert(candidate((2)) == (4));\n}\n",
    ),
    "rs": ("fn twice(n: isize) -> isize {\n", "}\n\nfn main() {\n    assert_eq!(twice(2), 4);\n}\n"),
    "go": (
        'package twice_test\n\nimport (\n    "testing"\n    "fmt"\n)\n\nfunc twice(n int) int {\n',
        'func TestTwice(t *testing.T) {\n  if fmt.Sprint(twice(2)) != "4" {\n    t.Error()\n  }\n}\n',
    ),
    "java": (
        (
            "import java.util.*;\nimport org.javatuples.*;\nclass Problem {\n"
            "    public static long twice(long n) {\n"
        ),
        "    }\n    public static void main(String[] args) {\n    assert(twice((2l)) == (4l));\n    }\n\n}\n",
    ),
}
ANSWERS = {
    "js": "export function twice(n) { return 2 * n; }",
    "ts": "export function twice(n: number): number { return 2 * n; }",
    "cpp": "long twice(long n) { return 2 * n; }",
    "rs": "fn twice(n: isize) -> isize { 2 * n }",
    "go": "package answer\n\nfunc twice(n int) int { return 2 * n }",
    "java": "class Problem {\n    public static long twice(long n) { return 2 * n; }\n}",
}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", WITH_RECORDS)
def test_the_reference_of_a_record_of_ours_passes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_records(tmp_path)

    chosen = steelyard.BenchmarkOptions(data=tmp_path, protocol="strict")
    found = steelyard.verify_benchmark(name, chosen, notify=lambda _: None)

    assert found.references >= 1
    assert (found.failing, found.passing_empty) == ((), ())


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", MULTIPL_E)
def test_a_right_answer_to_multipl_e_passes_and_a_wrong_one_fails(part: str, tmp_path: Path) -> None:
    prompt, tests = MULTIPL_E[part]
    record = {"name": "HumanEval_0_twice", "prompt": prompt, "tests": tests}
    (tmp_path / f"humaneval-{part}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    chosen = steelyard.BenchmarkOptions(data=tmp_path)

    (case,) = steelyard.load_benchmark(f"multipl-e/{part}", chosen, notify=lambda _: None).cases

    wrong = ANSWERS[part].replace("2 * n", "3 * n")
    assert kinds(case, ANSWERS[part], wrong) == [Classification.PASS, Classification.FAIL]


def kinds(case: Case, *answers: str) -> list[Classification | None]:
    checker = Checkers(BubblewrapSandbox()).of(case)
    texts = [f"```{case.language}\n{answer}\n```\n" for answer in answers]
    return [checker.check(case, text).facts.classification for text in texts]


def test_an_archive_of_exercises_becomes_cases(tmp_path: Path) -> None:
    files = {
        ".docs/instructions.md": "Double a number.",
        ".meta/config.json": json.dumps(
            {
                "files": {
                    "solution": ["twice.py"],
                    "test": ["twice_test.py", "numbers_to_double.py"],
                    "example": [".meta/example.py"],
                }
            }
        ),
        "numbers_to_double.py": "TWO = 2\n",
        ".meta/example.py": "def twice(n):\n    return 2 * n\n",
        "twice.py": "def twice(n):\n    pass\n",
        "twice_test.py": "import unittest\nfrom numbers_to_double import TWO\nfrom twice import twice\n\n"
        "class TwiceTest(unittest.TestCase):\n"
        "    def test_two(self):\n        self.assertEqual(twice(TWO), 4)\n",
    }
    with tarfile.open(tmp_path / "aider-polyglot.tar.gz", "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"root/python/exercises/practice/twice/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    chosen = steelyard.BenchmarkOptions(data=tmp_path)

    found = steelyard.verify_benchmark("aider-polyglot", chosen, notify=lambda _: None)

    assert (found.references, found.failing, found.passing_empty) == (1, (), ())
    sampling = steelyard.load_benchmark("aider-polyglot", chosen, notify=lambda _: None).sampling
    assert (sampling.stop_rule, sampling.feedback) == ("maximum=2,passes=1", True)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_says_all_there_is_to_know(name: str) -> None:
    about = steelyard.find_benchmark(name)

    assert about.name == name
    assert about.revision
    assert all(len(file.sha256) in {0, 64} for file in about.files)
    assert about.languages
    assert about.licence


def test_what_is_data_only_is_not_run() -> None:
    with pytest.raises(steelyard.SteelyardError, match="cannot be checked"):
        steelyard.load_benchmark("swe-bench-verified")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_is_pinned_by_a_whole_revision_or_a_release_and_by_digests(name: str) -> None:
    found = steelyard.find_benchmark(name)

    assert re.fullmatch(r"[0-9a-f]{40}|v\d+(\.\d+)+", found.revision)
    assert all(re.fullmatch(r"[0-9a-f]{64}", file.sha256) for file in found.files)
