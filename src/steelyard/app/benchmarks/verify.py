"""Verify a benchmark: references must pass, and answers that do nothing must fail."""

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from steelyard.app.benchmarks.catalogue import find_benchmark
from steelyard.app.benchmarks.load import DEFAULT_BENCHMARK_OPTIONS, BenchmarkOptions, load_benchmark
from steelyard.app.files import write_file
from steelyard.checks.environments import install_environments
from steelyard.checks.grading.calibration import PATIENCE
from steelyard.model.benchmark import Benchmark, FailingReference, Verification
from steelyard.model.evalset import EvalSet
from steelyard.render.verification import with_verification
from steelyard.runner.check import sandboxes
from steelyard.runner.check.checkers import Checkers
from steelyard.runner.check.references import (
    THREADS,
    CheckedAnswer,
    KnownAnswer,
    check_answers,
    empty_answers_of,
    known_answers,
)

Progress = Callable[[int, int], None]  # checked, of how many


def verify_benchmark(  # noqa: PLR0913  # which benchmark, how to check it, and what to tell meanwhile
    name: str,
    options: BenchmarkOptions = DEFAULT_BENCHMARK_OPTIONS,
    *,
    threads: int = THREADS,
    references_only: bool = False,
    progress: Progress | None = None,
    notify: Callable[[str], None] = warnings.warn,
) -> Verification:
    """Check all references of a benchmark, and answers that do nothing, as answers of a model are checked.

    The latter take three quarters of the time, so `references_only` leaves them out.
    """
    eval_set = load_benchmark(name, options, notify=notify)
    install_environments(eval_set.cases, notify)
    checkers = Checkers(sandboxes.make_sandbox(options.sandbox, allow_unsafe=options.unsafe_no_sandbox))
    empty = () if references_only else empty_answers_of(eval_set)
    answers = list(map(_patient, chain(known_answers(eval_set), empty)))
    checked = list[CheckedAnswer]()
    began = time.monotonic()
    for answer in check_answers(answers, checkers, threads=threads):
        checked.append(answer)
        if progress is not None:
            progress(len(checked), len(answers))
    return _verification(eval_set, find_benchmark(name), checked, round(time.monotonic() - began))


def _patient(answer: KnownAnswer) -> KnownAnswer:
    """Give a case the time limit of reference checks, for slow machines."""
    return replace(answer, case=replace(answer.case, timeout_s=PATIENCE * answer.case.timeout_s))


def write_verification(found: Verification, page: str | Path, *, note: str = "") -> None:
    """Write what was found into a page, in place of what it says of the same benchmark.

    `note` is what else to say about it, such as a commit.
    """
    path = Path(page)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    write_file(path, with_verification(before, found, note=note))


def _verification(
    found: EvalSet, benchmark: Benchmark, checked: Sequence[CheckedAnswer], seconds: int
) -> Verification:
    run = found.benchmark
    assert run is not None  # noqa: S101  # `load_benchmark` says which it is
    references = [checked_answer for checked_answer in checked if checked_answer.answer.must_pass]
    empty = [checked_answer for checked_answer in checked if checked_answer.answer.is_empty]
    failing = tuple(
        FailingReference(
            case=reference.answer.case.id,
            kind=str(reference.outcome.facts.classification),
            detail=reference.outcome.detail,
            reason=benchmark.failing_references.get(reference.answer.case.id, ""),
        )
        for reference in references
        if not reference.is_as_meant
    )
    return Verification(
        benchmark=benchmark,
        run=run,
        references=len(references),
        without_reference=sum(case.reference is None for case in found.cases),
        failing=failing,
        empty=len(empty),
        passing_empty=tuple(
            dict.fromkeys(
                checked_answer.answer.case.id for checked_answer in empty if not checked_answer.is_as_meant
            )
        ),
        seconds=seconds,
    )
