"""Run the graded tests of an answer and classify their results."""

from collections.abc import Iterable, Iterator, Mapping

from steelyard.checks.forms.tests.results import Status, TestResults, from_channel, from_junit, from_tap
from steelyard.checks.grading.demands import verdict_of_tests
from steelyard.checks.toolchains.recipes.outcomes import counted, limited, step_outcome, untested
from steelyard.checks.toolchains.recipes.recipe import Recipe, Results
from steelyard.checks.toolchains.recipes.step_runner import Layout, StepRunner
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult
from steelyard.model.outcome import Classification, NoTests, Outcome


def tested(runner: StepRunner, layout: Layout, case: Case, files: Mapping[str, bytes]) -> Outcome:
    """Build the graded tests against an answer and run them."""
    recipe, tests = layout.recipe, case.expectations.tests
    if not tests.strip():
        return untested(case, NoTests.NONE_DEFINED)
    if recipe.test_names and not layout.names:
        return untested(case, NoTests.NONE_COLLECTED)
    files = {**files, **layout.graded(tests)}
    if recipe.test_build:
        keep = (recipe.program,) if recipe.program else ()
        ended = runner.run(layout.argv(recipe.test_build), files, case=case, keep=keep)
        if not ended.succeeded or not set(keep) <= set(ended.files):
            kind = limited(ended) or Classification.BUILD_ERROR
            return step_outcome(kind, ended, layout, built=True, no_tests=NoTests.BUILD_FAILED)
        files = {**_running_files(layout, files), **ended.files}
    return _run_tests(runner, layout, case, files)


def _run_tests(runner: StepRunner, layout: Layout, case: Case, files: Mapping[str, bytes]) -> Outcome:
    recipe, should_pass = layout.recipe, case.expectations.should_pass_tests
    keep = (recipe.results_file,) if recipe.results is Results.JUNIT else ()
    is_channel = recipe.results is Results.CHANNEL
    stdin = layout.stdin if is_channel else b""
    argv = layout.argv(recipe.run)
    ended = runner.run(argv, files, case=case, keep=keep, stdin=stdin, channel=is_channel)
    if recipe.results is Results.EXIT_CODE:
        ok = int(ended.succeeded)
        kind = limited(ended) or verdict_of_tests(should_pass=should_pass, passed=ok, failed=1 - ok)
        return counted(kind, ended, layout, (ok, 1 - ok, 0), "")
    results = _read_results(recipe, ended, layout)
    names = layout.names or tuple(results.statuses)
    statuses = [results.status(name) for name in names]
    passed, skipped = statuses.count(Status.OK), statuses.count(Status.SKIPPED)
    # Only the channel belongs to the tests alone; otherwise the exit code must agree.
    is_reliable = is_channel or (results.is_complete and ended.exit_code == 0)
    if limited(ended):
        kind = limited(ended) or Classification.CRASH
    elif is_reliable and passed and passed + skipped == len(names):
        kind = verdict_of_tests(should_pass=should_pass, passed=passed, failed=0)
    elif Status.DIED in statuses or (ended.signal is not None and None in statuses):
        kind = Classification.CRASH
    else:
        kind = verdict_of_tests(should_pass=should_pass, passed=0, failed=statuses.count(Status.NOT_OK))
    text = "\n".join([*sorted(results.messages), *_unexplained(results, names)])
    return counted(kind, ended, layout, (passed, len(names) - passed - skipped, skipped), text)


def _unexplained(results: TestResults, names: Iterable[str]) -> Iterator[str]:
    """Yield a line for each failed test without a message."""
    for name in names:
        status = results.status(name)
        has_message = any(message.startswith(f"{name}: ") for message in results.messages)
        if status not in {Status.OK, Status.SKIPPED} and not has_message:
            yield f"{name}: {status or 'no result'}"


def _read_results(recipe: Recipe, ended: ExecResult, layout: Layout) -> TestResults:
    if recipe.results is Results.CHANNEL:
        return from_channel(ended.channel.decoded(), layout.nonce, layout.secrets)
    if recipe.results is Results.TAP:
        return from_tap(ended.stdout.decoded())
    return from_junit(ended.files.get(recipe.results_file, b""))


def _running_files(layout: Layout, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files for running tests: artifacts instead of sources, if anything was built."""
    if not layout.recipe.artifacts and not layout.recipe.program:
        return dict(files)
    hidden = {*layout.answer, *layout.graded("")}
    return {path: content for path, content in files.items() if path not in hidden}
