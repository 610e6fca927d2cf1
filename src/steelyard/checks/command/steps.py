"""Build an answer, run its graded tests, and say what the results amount to."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace

from steelyard.checks.command.recipe import Recipe, Results
from steelyard.checks.command.results import Status, TestResults, from_channel, from_junit, from_tap
from steelyard.checks.command.step_runner import Layout, StepRunner
from steelyard.checks.excerpts import excerpt
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOutput:
    """A test of a whole program: what it is given, and what it must print."""

    name: str
    stdin: str = ""
    args: tuple[str, ...] = ()
    stdout: str = ""


def built(
    shop: StepRunner, layout: Layout, case: Case, *, io: bool
) -> tuple[Mapping[str, bytes], Outcome | None]:
    """Build an answer; return the files for the next step, or how it ended here."""
    step = layout.recipe.io if io else layout.recipe
    files = {**layout.given, **layout.answer}
    if not step.build:
        return files, None
    result = shop.run(layout.argv(step.build), files, wall_s=case.timeout_s, keep=step.artifacts)
    if result.succeeded and set(step.artifacts) <= set(result.files):
        if case.expectations.should_build:
            return {**files, **result.files}, None
        return files, _outcome(
            Classification.FAIL, result, layout, built=True, said="it builds, and was not to"
        )
    is_wanted = not case.expectations.should_build and result.limit is None
    kind = Classification.PASS if is_wanted else _limited(result) or Classification.BUILD_ERROR
    return files, _outcome(kind, result, layout, built=False)


def tested(shop: StepRunner, layout: Layout, case: Case, files: Mapping[str, bytes]) -> Outcome:
    """Build the graded tests against an answer and run them."""
    recipe, tests = layout.recipe, case.expectations.tests
    if not tests.strip():
        return _untested(case, NoTests.NONE_DEFINED)
    if recipe.test_names and not layout.names:
        return _untested(case, NoTests.NONE_COLLECTED)
    files = {**files, **layout.graded(tests)}
    if recipe.test_build:
        keep = (recipe.program,) if recipe.program else ()
        result = shop.run(layout.argv(recipe.test_build), files, wall_s=case.timeout_s, keep=keep)
        if not result.succeeded or not set(keep) <= set(result.files):
            kind = _limited(result) or Classification.BUILD_ERROR
            return _outcome(kind, result, layout, built=True, no_tests=NoTests.BUILD_FAILED)
        files = {**_for_running(layout, files), **result.files}
    return _judged(shop, layout, case, files)


def compared(shop: StepRunner, layout: Layout, case: Case, files: Mapping[str, bytes]) -> Outcome:
    """Run a program once for each test and compare what it prints; what is expected stays outside."""
    program = layout.recipe.io
    if program.artifacts:
        files = {path: content for path, content in files.items() if path in program.artifacts}
    passed, worst, last, wrong = 0, None, None, list[str]()
    tests = io_tests(case)
    for test in tests:
        argv = (*layout.argv(program.run), *test.args)
        last = shop.run(argv, files, wall_s=case.timeout_s, stdin=test.stdin.encode())
        worst = worst or _limited(last) or (Classification.CRASH if last.signal else None)
        if last.succeeded and _lines(last.stdout.decoded()) == _lines(test.stdout):
            passed += 1
        else:
            wrong.append(f"{test.name}: printed {last.stdout.decoded()[:200]!r}")
        if worst is Classification.TIMEOUT:
            break  # the others would take their time too
    if last is None:
        return _untested(case, NoTests.NONE_DEFINED)
    kind = worst or (Classification.PASS if passed == len(tests) else Classification.FAIL)
    return _counted(kind, last, layout, (passed, len(tests) - passed, 0), "\n".join(wrong))


def io_tests(case: Case) -> list[InputOutput]:
    """Return the tests of a case by input and output, in TOML: [[tests]] with name, stdin, args, stdout."""
    try:
        found = tomllib.loads(case.expectations.tests).get("tests", [])
        return [InputOutput(**{**test, "args": tuple(test.get("args", ()))}) for test in found]
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise InputError(f"case {case.id}: tests by input and output cannot be read: {error}") from None


def _judged(shop: StepRunner, layout: Layout, case: Case, files: Mapping[str, bytes]) -> Outcome:
    recipe = layout.recipe
    keep = (recipe.results_file,) if recipe.results is Results.JUNIT else ()
    is_channel = recipe.results is Results.CHANNEL
    stdin = f"{layout.nonce}\n".encode() if is_channel else b""
    argv = layout.argv(recipe.run)
    result = shop.run(argv, files, wall_s=case.timeout_s, keep=keep, stdin=stdin, channel=is_channel)
    if recipe.results is Results.EXIT_CODE:
        kind = _limited(result) or (Classification.PASS if result.succeeded else Classification.FAIL)
        ok = int(kind is Classification.PASS)
        return _counted(kind, result, layout, (ok, 1 - ok, 0), "")
    found = _results(recipe, result, layout.nonce)
    names = layout.names or tuple(found.statuses)
    statuses = [found.status(name) for name in names]
    passed, skipped = statuses.count(Status.OK), statuses.count(Status.SKIPPED)
    # Only the channel speaks for the tests alone; elsewhere the exit code must agree.
    is_sure = is_channel or (found.is_whole and result.exit_code == 0)
    if _limited(result):
        kind = _limited(result) or Classification.CRASH
    elif is_sure and passed and passed + skipped == len(names):
        kind = Classification.PASS
    else:
        is_dead = Status.DIED in statuses or (result.signal is not None and None in statuses)
        kind = Classification.CRASH if is_dead else Classification.FAIL
    said = "\n".join(sorted(found.messages))
    return _counted(kind, result, layout, (passed, len(names) - passed - skipped, skipped), said)


def _results(recipe: Recipe, result: ExecResult, nonce: str) -> TestResults:
    if recipe.results is Results.CHANNEL:
        return from_channel(result.channel.decoded(), nonce)
    if recipe.results is Results.TAP:
        return from_tap(result.stdout.decoded())
    return from_junit(result.files.get(recipe.results_file, b""))


def _for_running(layout: Layout, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what the tests need when they run: what was built instead of the sources, if anything was."""
    if not layout.recipe.artifacts:
        return dict(files)
    hidden = {*layout.answer, *layout.graded("")}
    return {path: content for path, content in files.items() if path not in hidden}


def _limited(result: ExecResult) -> Classification | None:
    """Return what a limit that was hit says about the answer."""
    if result.limit is None:
        return None
    return Classification.TIMEOUT if result.limit in {Limit.WALL, Limit.CPU} else Classification.CRASH


def _untested(case: Case, why: NoTests) -> Outcome:
    kind = Classification.FAIL if case.expectations.should_pass_tests else Classification.PASS
    facts = Facts(classification=kind, built=True, tests_passed=0, tests_failed=0, no_tests=why)
    return Outcome(facts=facts, detail=f"no graded tests: {why}")


def _counted(
    kind: Classification, result: ExecResult, layout: Layout, counts: tuple[int, int, int], said: str
) -> Outcome:
    outcome = _outcome(kind, result, layout, built=True, said=said)
    passed, failed, skipped = counts
    facts = replace(outcome.facts, tests_passed=passed, tests_failed=failed, tests_ignored=skipped)
    return replace(outcome, facts=facts)


def _outcome(  # noqa: PLR0913  # a record in all but name, used in this file only
    kind: Classification,
    result: ExecResult,
    layout: Layout,
    *,
    built: bool,
    no_tests: NoTests | None = None,
    said: str = "",
) -> Outcome:
    limit = f"limit reached: {result.limit}" if result.limit else ""
    texts = (limit, said, result.stderr.decoded(), result.stdout.decoded())
    return Outcome(
        facts=Facts(classification=kind, built=built, no_tests=no_tests),
        peak_memory_bytes=result.peak_memory_bytes,
        detail=excerpt("\n".join(text for text in texts if text), hide=(layout.nonce,)),
    )


def _lines(text: str) -> list[str]:
    """Return the lines of a text without blanks at their ends and empty ones at the end."""
    return [line.rstrip() for line in text.rstrip().splitlines()]
