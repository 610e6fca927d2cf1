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

Progress = Callable[[int, int], None]  # checked answers, all answers


def verify_benchmark(  # noqa: PLR0913  # benchmark, options of the check, and callbacks
    name: str,
    options: BenchmarkOptions = DEFAULT_BENCHMARK_OPTIONS,
    *,
    threads: int = THREADS,
    references_only: bool = False,
    progress: Progress | None = None,
    notify: Callable[[str], None] = warnings.warn,
) -> Verification:
    """Check that all references of a benchmark pass and that answers that do nothing fail.

    Args:
        name: The benchmark, or a part as `name/part`.
        options: Data, protocol, selection and packages.
        threads: Concurrent checks.
        references_only: Skip the answers that do nothing, which take three quarters of the time.
        progress: Called with the number of checked answers and of all answers.
        notify: Called with warnings, and before packages are installed.
    """
    eval_set = load_benchmark(name, options, notify=notify)
    install_environments(eval_set.cases, notify)
    checkers = Checkers(sandboxes.make_sandbox(options.sandbox, allow_unsafe=options.unsafe_no_sandbox))
    empty = () if references_only else empty_answers_of(eval_set)
    answers = list(map(_extend_limit, chain(known_answers(eval_set), empty)))
    checked = list[CheckedAnswer]()
    began = time.monotonic()
    for answer in check_answers(answers, checkers, threads=threads):
        checked.append(answer)
        if progress is not None:
            progress(len(checked), len(answers))
    return _summarize(eval_set, find_benchmark(name), checked, round(time.monotonic() - began))


def _extend_limit(answer: KnownAnswer) -> KnownAnswer:
    """Extend the time limit of a case, for slow machines."""
    return replace(answer, case=replace(answer.case, timeout_s=PATIENCE * answer.case.timeout_s))


def write_verification(verification: Verification, page: str | Path, *, note: str = "") -> None:
    """Write a result into a Markdown page; replace the benchmark's earlier result.

    Args:
        verification: The result of `verify_benchmark`.
        page: The page.
        note: A remark, such as a commit.
    """
    path = Path(page)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    write_file(path, with_verification(before, verification, note=note))


def _summarize(
    eval_set: EvalSet, benchmark: Benchmark, checked: Sequence[CheckedAnswer], seconds: int
) -> Verification:
    run = eval_set.benchmark
    assert run is not None  # noqa: S101  # set by load_benchmark
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
        without_reference=sum(case.reference is None for case in eval_set.cases),
        failing=failing,
        empty=len(empty),
        passing_empty=tuple(
            dict.fromkeys(
                checked_answer.answer.case.id for checked_answer in empty if not checked_answer.is_as_meant
            )
        ),
        seconds=seconds,
    )
