"""Grade answers to tasks: each step is verified in a fresh container, and its reports must confirm it."""

import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.tasks.answer import notes, read_answer
from steelyard.checks.tasks.clean_room import CleanRoom, Verification
from steelyard.checks.tasks.expected import MOST_NAMED, decide_expected, passing
from steelyard.checks.tasks.patch import PatchError, apply_patch
from steelyard.checks.tasks.reports import (
    HiddenTests,
    Transcripts,
    read_results,
    read_transcripts,
    unfinished_sessions,
)
from steelyard.checks.tasks.rewards import is_full, read_rewards
from steelyard.checks.tasks.workspace import Workspaces, hidden_files, protected_paths
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Integrity, Outcome
from steelyard.model.task import ExpectedTests, StepRewards, Task, TaskStep
from steelyard.model.tree import Changes, File
from steelyard.ports import ContainerEngine

VERSION = "1"  # of what a check means
PYTHON_TESTS = ("test_*.py", "*_test.py")
SHOWN_PATHS = 5
TESTS_FOLDER = PurePosixPath("/tests")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What answers to a step are compared with: the solution's run of the tests."""

    tests: HiddenTests = field(default_factory=HiddenTests)
    expected: ExpectedTests | None = None
    left_processes: int = 0
    has_solution: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """The verification of one step."""

    step: TaskStep
    rewards: dict[str, float] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    passed_tests: int = 0
    failed_tests: int = 0
    timed_out: bool = False
    remarks: list[str] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        """Whether all rewards are full and nothing contradicts them."""
        return not self.problems and is_full(self.rewards)

    @property
    def allows_next(self) -> bool:
        """Whether the rewards are high enough for the next step."""
        rewards = {} if self.problems else self.rewards
        return all(rewards.get(name, 0.0) >= least for name, least in self.step.min_rewards.items())


class TaskChecker:
    """Checks answers to tasks; safe to call from many threads."""

    def __init__(self, engine: ContainerEngine) -> None:
        self._workspaces = Workspaces(engine)
        self._room = CleanRoom(engine, self._workspaces)
        self._lock = threading.Lock()
        self._measures: dict[tuple[str, str], Future[Measure]] = {}

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of an answer; only failures of the engine are infrastructure errors."""
        task = case.task
        digest = check_digest("task", case, tools={"grader": VERSION})
        if task is None:
            detail = "a case in the language `task` needs a task folder"
            return Outcome(facts=Facts(classification=Classification.ERROR), detail=detail)
        began = time.monotonic()
        try:
            results = self._results(case, task, answer)
            integrity = self._integrity(case, task)
        except SandboxError as error:
            facts = Facts(classification=Classification.ERROR)
            return Outcome(facts=facts, check_digest=digest, detail=str(error))
        return replace(
            outcome_of(task, results),
            check_digest=digest,
            check_us=round((time.monotonic() - began) * 1e6),
            integrity=integrity,
        )

    def _results(self, case: Case, task: Task, answer: str) -> list[StepResult]:
        """Return the results of the steps, up to one that does not allow the next."""
        patches, results = read_answer(answer), list[StepResult]()
        for step in task.steps:
            if results and not results[-1].allows_next:
                break
            patch = patches.get(step.name)
            if patch is None:
                results.append(StepResult(step=step, problems=["the trial did not reach this step"]))
                continue
            results.append(self._result(task, step, patch, self._measure(case, task, step)))
        return results

    def _result(self, task: Task, step: TaskStep, patch: str, measure: Measure) -> StepResult:
        remarks = notes(patch)
        original = self._workspaces.original(task)
        try:
            changes = apply_patch(original, patch)
        except PatchError as error:
            return StepResult(step=step, problems=[str(error)])
        protected = protected_paths(task, changes.paths)
        if protected:
            shown = ", ".join(sorted(protected)[:SHOWN_PATHS])
            remarks.append(f"changes of protected files are left out: {shown}")
        verification = self._room.verify(
            task, step, changes.without(protected), _placed_tests(task, step, measure.tests)
        )
        result = _read_result(step, verification, measure)
        return result if result.is_full else replace(result, remarks=[*result.remarks, *remarks])

    def _measure(self, case: Case, task: Task, step: TaskStep) -> Measure:
        """Return what the solution's run of the tests reported, measured once in a process."""
        key = (task.digest, step.name)
        with self._lock:
            known = self._measures.get(key)
            future = known or Future()
            if known is None:
                self._measures[key] = future
        if known is None:
            try:
                future.set_result(self._measured(case, task, step))
            except BaseException as error:
                with self._lock:
                    del self._measures[key]
                future.set_exception(error)
                raise
        return future.result()

    def _measured(self, case: Case, task: Task, step: TaskStep) -> Measure:
        """Run the tests on the solution: with sealed assertions if they work there, else as written."""
        patch = read_answer(case.reference or "").get(step.name)
        if not patch:
            return Measure(expected=task.expected)
        try:
            changes = apply_patch(self._workspaces.original(task), patch)
        except PatchError:
            return Measure(expected=task.expected)
        if task.expected is not None:
            return self._measured_ids(task, step, task.expected, changes)
        sealed = HiddenTests.of(_sources(task, step))
        for attempt in range(3):
            tests = sealed if attempt < 2 else HiddenTests()  # noqa: PLR2004  # sealed, partly, as written
            verification = self._room.verify(task, step, changes, _placed_tests(task, step, tests))
            transcripts = read_transcripts(verification.events)
            measured = tests.measured(transcripts)
            if _has_full_rewards(verification) and not measured.problems(transcripts):
                return Measure(tests=measured, left_processes=verification.left_processes, has_solution=True)
            sealed = sealed.opened(transcripts)
        return Measure()

    def _measured_ids(self, task: Task, step: TaskStep, expected: ExpectedTests, changes: Changes) -> Measure:
        """Keep of the tests that passed before those that pass here with the solution."""
        verification = self._room.verify(task, step, changes, hidden_files(task, step.name))
        kept = passing(expected.pass_to_pass, read_results(verification.events))
        return Measure(expected=replace(expected, pass_to_pass=kept))

    def _integrity(self, case: Case, task: Task) -> Integrity:
        """Return the least integrity of the steps: without reports of pytest, rewards can be forged."""
        measures = [self._measure(case, task, step) for step in task.steps]
        levels = [
            measure.tests.count().integrity if measure.tests.references else Integrity.OPEN
            for measure in measures
        ]
        return min(levels, key=list(Integrity).index)


def outcome_of(task: Task, results: list[StepResult]) -> Outcome:
    """Return facts and detail of the steps' results."""
    counted = results[-1:] if task.strategy is StepRewards.FINAL else results
    is_pass = len(results) == len(task.steps) and all(result.is_full for result in counted)
    timed_out = not is_pass and any(result.timed_out for result in results)
    failed = Classification.TIMEOUT if timed_out else Classification.FAIL
    passed_tests = sum(result.passed_tests for result in results)
    failed_tests = sum(result.failed_tests for result in results) + len(task.steps) - len(results)
    facts = Facts(
        classification=Classification.PASS if is_pass else failed,
        tests_passed=passed_tests,
        tests_failed=failed_tests,
        tests_ignored=0,
    )
    return Outcome(
        facts=facts, detail=excerpt("\n".join(line for result in results for line in _lines(result)))
    )


def _lines(result: StepResult) -> list[str]:
    name = f"{result.step.name}: " if result.step.name else ""
    rewards = ", ".join(f"{key} {value:g}" for key, value in result.rewards.items())
    lines = [f"{name}{rewards}"] if rewards and not result.problems else []
    return [*lines, *(f"{name}{line}" for line in (*result.problems, *result.remarks))]


def _read_result(step: TaskStep, verification: Verification, measure: Measure) -> StepResult:
    if measure.expected is not None:
        return _result_of_ids(step, verification, measure.expected)
    transcripts = read_transcripts(verification.events)
    problems = list(_problems(verification, measure, transcripts))
    try:
        rewards = read_rewards(verification.logs)
    except ValueError as error:
        rewards = {}
        problems.insert(0, str(error))
    passed, failed = measure.tests.counts(transcripts)
    if not passed + failed:  # the rewards are all there is to count
        passed = 0 if problems else sum(is_full({name: value}) for name, value in rewards.items())
        failed = max(1, len(rewards)) - passed
    return StepResult(
        step=step,
        rewards=rewards,
        problems=problems,
        passed_tests=passed,
        failed_tests=failed,
        timed_out=verification.ended.limit is not None,
    )


def _result_of_ids(step: TaskStep, verification: Verification, expected: ExpectedTests) -> StepResult:
    decided = decide_expected(expected, read_results(verification.events))
    total = len(expected.fail_to_pass) + len(expected.pass_to_pass)
    problems = [*decided.problems[:MOST_NAMED]]
    if verification.ended.limit is not None:
        problems.append(f"the tests were stopped by their limit on {verification.ended.limit}")
    return StepResult(
        step=step,
        rewards={"resolved": float(not problems)},
        problems=problems,
        passed_tests=decided.passed,
        failed_tests=total - decided.passed,
        timed_out=verification.ended.limit is not None,
        remarks=[f"found by the beginning of its id: {test_id}" for test_id in decided.matched],
    )


def _problems(verification: Verification, measure: Measure, transcripts: Transcripts) -> list[str]:
    problems = measure.tests.problems(transcripts)
    if verification.ended.limit is not None:
        problems.append(f"the tests were stopped by their limit on {verification.ended.limit}")
    elif sessions := unfinished_sessions(verification.events):
        problems.append(f"pytest was ended early {sessions} time{'' if sessions == 1 else 's'}")
    if measure.has_solution and verification.left_processes > measure.left_processes:
        problems.append("a process was still running after the tests")
    return problems


def _has_full_rewards(verification: Verification) -> bool:
    try:
        return verification.ended.limit is None and is_full(read_rewards(verification.logs))
    except ValueError:
        return False


def _sources(task: Task, step: TaskStep) -> dict[str, str]:
    """Return the files of tests that pytest collects, by their paths in the container."""
    return {
        str(TESTS_FOLDER / path): file.content.decode("utf-8", "replace")
        for path, file in hidden_files(task, step.name).items()
        if any(PurePosixPath(path).match(pattern) for pattern in PYTHON_TESTS)
    }


def _placed_tests(task: Task, step: TaskStep, tests: HiddenTests) -> dict[str, File]:
    """Return all files of a step's tests, sealed where they can be."""
    sealed = {
        str(PurePosixPath(path).relative_to(TESTS_FOLDER)): text for path, text in tests.sources().items()
    }
    return {
        path: replace(file, content=sealed[path]) if path in sealed else file
        for path, file in hidden_files(task, step.name).items()
    }
