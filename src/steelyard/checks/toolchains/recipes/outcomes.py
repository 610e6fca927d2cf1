"""Build an answer, and say what the end of a step amounts to."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner, is_pattern
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome


def built(
    runner: StepRunner, layout: Layout, case: Case, *, io: bool
) -> tuple[Mapping[str, bytes], Outcome | None]:
    """Build an answer; return the files for the next step, or how it ended here."""
    step = layout.recipe.io if io else layout.recipe
    files = {**layout.given, **layout.answer}
    if not step.build:
        return files, None
    alone = {path: text for path, text in files.items() if path not in layout.recipe.harness}
    result = runner.run(layout.argv(step.build), alone, case=case, keep=step.artifacts)
    needed = {artifact for artifact in step.artifacts if not is_pattern(artifact)}
    if result.succeeded and needed <= set(result.files):
        if case.expectations.should_build:
            # Nothing that an answer makes takes the place of a file of ours.
            made = {path: content for path, content in result.files.items() if path not in layout.given}
            return {**files, **made}, None
        return files, step_outcome(
            Classification.FAIL, result, layout, built=True, said="it builds, and was not to"
        )
    is_wanted = not case.expectations.should_build and result.limit is None
    kind = Classification.PASS if is_wanted else limited(result) or Classification.BUILD_ERROR
    return files, step_outcome(kind, result, layout, built=False)


def running_files(
    files: Mapping[str, bytes], artifacts: tuple[str, ...], *, beside: Iterable[str]
) -> dict[str, bytes]:
    """Return what a program needs when it runs: what was built instead of the sources, if anything was."""
    if not artifacts:
        return dict(files)
    others = set(beside)
    return {
        path: content
        for path, content in files.items()
        if path in others or any(fnmatchcase(path, artifact) for artifact in artifacts)
    }


def limited(result: ExecResult) -> Classification | None:
    """Return what a limit that was hit says about the answer."""
    if result.limit is None:
        return None
    return Classification.TIMEOUT if result.limit in {Limit.WALL, Limit.CPU} else Classification.CRASH


def untested(case: Case, why: NoTests) -> Outcome:
    """Return the outcome of an answer for which not a single test ran."""
    kind = Classification.FAIL if case.expectations.should_pass_tests else Classification.PASS
    facts = Facts(classification=kind, built=True, tests_passed=0, tests_failed=0, no_tests=why)
    return Outcome(facts=facts, detail=f"no graded tests: {why}")


def counted(
    kind: Classification, result: ExecResult, layout: Layout, counts: tuple[int, int, int], said: str
) -> Outcome:
    """Return an outcome with how many tests passed, failed and were skipped."""
    outcome = step_outcome(kind, result, layout, built=True, said=said)
    passed, failed, skipped = counts
    facts = replace(outcome.facts, tests_passed=passed, tests_failed=failed, tests_ignored=skipped)
    return replace(outcome, facts=facts)


def step_outcome(  # noqa: PLR0913  # a record in all but name
    kind: Classification,
    result: ExecResult,
    layout: Layout,
    *,
    built: bool,
    no_tests: NoTests | None = None,
    said: str = "",
) -> Outcome:
    """Return the outcome of a step, with an excerpt of what it printed."""
    limit = f"limit reached: {result.limit}" if result.limit else ""
    texts = (limit, said, result.stderr.decoded(), result.stdout.decoded())
    return Outcome(
        facts=Facts(classification=kind, built=built, no_tests=no_tests),
        peak_memory_bytes=result.peak_memory_bytes,
        detail=excerpt(
            "\n".join(text for text in texts if text), hide=(layout.nonce, *layout.secrets.values())
        ),
    )
