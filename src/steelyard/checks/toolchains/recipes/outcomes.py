"""Build answers and turn the results of steps into outcomes."""

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
    """Build an answer; return the files for the next step, and the outcome if the check ends here."""
    step = layout.recipe.io if io else layout.recipe
    files = {**layout.given, **layout.answer}
    if not step.build:
        return files, None
    without_harness = {path: text for path, text in files.items() if path not in layout.recipe.harness}
    ended = runner.run(layout.argv(step.build), without_harness, case=case, keep=step.artifacts)
    required = {artifact for artifact in step.artifacts if not is_pattern(artifact)}
    if ended.succeeded and required <= set(ended.files):
        if case.expectations.should_build:
            # Artifacts never replace given files.
            artifacts = {path: content for path, content in ended.files.items() if path not in layout.given}
            return {**files, **artifacts}, None
        return files, step_outcome(
            Classification.FAIL, ended, layout, built=True, message="the answer builds, but must not"
        )
    is_expected = not case.expectations.should_build and ended.limit is None
    kind = Classification.PASS if is_expected else limited(ended) or Classification.BUILD_ERROR
    return files, step_outcome(kind, ended, layout, built=False)


def running_files(
    files: Mapping[str, bytes], artifacts: tuple[str, ...], *, beside: Iterable[str]
) -> dict[str, bytes]:
    """Return the files for running a program: artifacts instead of sources, if anything was built."""
    if not artifacts:
        return dict(files)
    kept = set(beside)
    return {
        path: content
        for path, content in files.items()
        if path in kept or any(fnmatchcase(path, artifact) for artifact in artifacts)
    }


def limited(ended: ExecResult) -> Classification | None:
    """Return the classification of a step that reached a limit, or None."""
    if ended.limit is None:
        return None
    return Classification.TIMEOUT if ended.limit in {Limit.WALL, Limit.CPU} else Classification.CRASH


def untested(case: Case, why: NoTests) -> Outcome:
    """Return the outcome of an answer for which no test ran."""
    kind = Classification.FAIL if case.expectations.should_pass_tests else Classification.PASS
    facts = Facts(classification=kind, built=True, tests_passed=0, tests_failed=0, no_tests=why)
    return Outcome(facts=facts, detail=f"no graded tests: {why}")


def counted(
    kind: Classification, ended: ExecResult, layout: Layout, counts: tuple[int, int, int], message: str
) -> Outcome:
    """Return an outcome with counts of passed, failed and skipped tests."""
    outcome = step_outcome(kind, ended, layout, built=True, message=message)
    passed, failed, skipped = counts
    facts = replace(outcome.facts, tests_passed=passed, tests_failed=failed, tests_ignored=skipped)
    return replace(outcome, facts=facts)


def step_outcome(  # noqa: PLR0913  # all parts of an outcome
    kind: Classification,
    ended: ExecResult,
    layout: Layout,
    *,
    built: bool,
    no_tests: NoTests | None = None,
    message: str = "",
) -> Outcome:
    """Return the outcome of a step with an excerpt of its output."""
    limit = f"limit reached: {ended.limit}" if ended.limit else ""
    texts = (limit, message, ended.stderr.decoded(), ended.stdout.decoded())
    return Outcome(
        facts=Facts(classification=kind, built=built, no_tests=no_tests),
        peak_memory_bytes=ended.peak_memory_bytes,
        detail=excerpt(
            "\n".join(text for text in texts if text), hide=(layout.nonce, *layout.secrets.values())
        ),
    )
