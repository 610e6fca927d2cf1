"""A benchmark is verified by its own references, and what is found goes into a page."""

from dataclasses import replace
from pathlib import Path

import steelyard
from steelyard.model.benchmark import FailingReference, ProtocolKind, RunBenchmark, Verification
from steelyard.render.benchmarks import verification_text
from steelyard.render.verification import with_verification
from tests.app.benchmarks.small import small_benchmark
from tests.benchmarks.records import HUMANEVAL, write_records

FOUND = Verification(
    benchmark=small_benchmark(),
    run=RunBenchmark(
        name="small", version="v1", protocol="Own", kind=ProtocolKind.OFFICIAL, tasks=4, of_tasks=4
    ),
    references=4,
    without_reference=0,
    failing=(FailingReference(case="add-1", kind="fail", detail="1 | 2"),),
    empty=12,
    passing_empty=("add-2",),
    seconds=3,
)


def test_references_pass_and_answers_that_do_nothing_fail(tmp_path: Path) -> None:
    write_records(tmp_path)
    seen = list[tuple[int, int]]()

    found = steelyard.verify_benchmark(
        "humaneval",
        steelyard.BenchmarkOptions(data=tmp_path),
        progress=lambda *step: seen.append(step),
        notify=lambda _: None,
    )

    assert (found.references, found.failing, found.passing_empty) == (1, (), ())
    assert found.empty == 3
    assert seen[-1] == (4, 4)
    assert found.is_explained


def test_references_can_be_checked_alone(tmp_path: Path) -> None:
    write_records(tmp_path)
    given = steelyard.BenchmarkOptions(data=tmp_path)

    found = steelyard.verify_benchmark("humaneval", given, references_only=True, notify=lambda _: None)

    assert (found.references, found.empty) == (1, 0)
    assert "Empty answers: not checked." in with_verification("", found)


def test_a_reference_that_fails_is_named_with_what_it_did(tmp_path: Path) -> None:
    write_records(
        tmp_path, {"humaneval/HumanEval.jsonl.gz": {**HUMANEVAL, "canonical_solution": "    return 9\n"}}
    )

    found = steelyard.verify_benchmark(
        "humaneval", steelyard.BenchmarkOptions(data=tmp_path), notify=lambda _: None
    )

    (failing,) = found.failing
    assert (failing.case, failing.kind, found.is_explained) == ("HumanEval/0", "fail", False)
    assert "HumanEval/0: fail; " in verification_text(found)


def test_a_failure_whose_reason_is_known_is_explained() -> None:
    known = FailingReference(case="add-1", kind="fail", detail="", reason="upstream's own defect")

    assert not FOUND.is_explained
    assert replace(FOUND, failing=(known,), passing_empty=()).is_explained
    assert "explained: upstream's own defect" in verification_text(replace(FOUND, failing=(known,)))


def test_a_page_keeps_the_sections_of_other_benchmarks() -> None:
    other = replace(FOUND, run=replace(FOUND.run, name="other"))

    page = with_verification(with_verification("", FOUND), other)
    again = with_verification(page, replace(FOUND, seconds=99))

    assert page.count("\n## ") == again.count("\n## ") == 2
    assert again.index("## small") < again.index("## other")
    assert "99 s by" in again
    assert r"| `add-1` | fail: 1 \| 2 |" in again


def test_what_was_found_is_written_into_a_file(tmp_path: Path) -> None:
    steelyard.write_verification(FOUND, tmp_path / "page.md")

    assert "Empty answers pass: add-2." in (tmp_path / "page.md").read_text(encoding="utf-8")
