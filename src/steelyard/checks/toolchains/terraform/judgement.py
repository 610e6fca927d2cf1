"""Judge a changed Terraform project: run the tool, and tell the answer's errors from our own."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from steelyard.checks.grading.demands import verdict_of_tests
from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.terraform import rules
from steelyard.checks.toolchains.terraform.blocks import Block, scan
from steelyard.checks.toolchains.terraform.diagnostics import (
    TerraformValidation,
    not_installed,
    parse_validation,
)
from steelyard.checks.toolchains.terraform.probe import Probe
from steelyard.checks.toolchains.terraform.requirements import requirements
from steelyard.checks.toolchains.terraform.rules import CaseRules
from steelyard.checks.toolchains.terraform.testing import Tested, run_tests
from steelyard.checks.toolchains.terraform.tool import TERRAFORM_MEMORY, Terraform
from steelyard.checks.toolchains.terraform.workspace import Workspace
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification, Facts, NoTests
from steelyard.ports import Sandbox

# The type that a block had was itself the error; its name must stay.
_WRONG_TYPE = frozenset({"Invalid resource type", "Invalid data source"})
_CONTROLS = 256  # remembered projects
_PATIENCE_S = 60.0  # what is not in question gets the time it needs
_CRASH_LINES = ("panic:", "fatal error:", "runtime: out of memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A project, what is demanded of an answer to it, and how long a check may take."""

    before: Workspace
    terms: CaseRules = field(default_factory=CaseRules)
    tests: str = ""
    should_build: bool = True
    should_pass_tests: bool = True
    wall_s: float = 60.0
    memory_bytes: int = TERRAFORM_MEMORY


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFacts:
    """The facts about a changed project, and what the tool said."""

    facts: Facts
    detail: str = ""
    peak_memory_bytes: int | None = None


class ProjectValidator:
    """Validates changed projects in a sandbox; safe to call from many threads."""

    def __init__(self, sandbox: Sandbox, terraform: Terraform) -> None:
        self._sandbox = sandbox
        self._terraform = terraform
        self._lock = threading.Lock()
        self._controls: dict[int, TerraformValidation | None] = {}

    def judge(self, task: Task, files: Mapping[str, str]) -> ProjectFacts:
        """Return the facts about a project in which an answer has changed some files."""
        broken = _broken_rule(task, files)
        if broken is not None:
            return broken
        after = task.before.changed(files)
        required_blocks = rules.required_blocks(task.before, files, task.terms)
        missing = rules.missing(required_blocks, after)
        gone = self._gone(task, after, missing)
        absent = {block.address for _, block in missing}
        # Our own reading finds the others; the probe is there to contradict it.
        probe = Probe(
            blocks=tuple(
                block for address, block in required_blocks[after.folder].items() if address not in absent
            )
        )
        probed = after.changed({probe.path(after.folder): probe.text})
        result, results = self._validated(probed, task, task.wall_s)
        if results is None:
            verdict = self._unclear(task, after, result)
        else:
            hidden = [error.detail for error in results.errors if error.filename == probe.filename]
            verdict = self._verdict(task, after, results.without(probe.filename), result, (*gone, *hidden))
        memory = verdict.peak_memory_bytes or result.peak_memory_bytes
        return replace(verdict, peak_memory_bytes=memory)

    def _validated(
        self, workspace: Workspace, task: Task, wall_s: float
    ) -> tuple[ExecResult, TerraformValidation | None]:
        command = self._terraform.validation(workspace, wall_s=wall_s, memory_bytes=task.memory_bytes)
        result = self._sandbox.run(command)
        return result, parse_validation(result.stdout.decoded()) if result.limit is None else None

    def _verdict(
        self,
        task: Task,
        after: Workspace,
        found: TerraformValidation,
        result: ExecResult,
        missing: Sequence[str],
    ) -> ProjectFacts:
        """Return what follows from a validation that took place."""
        text = "\n".join(each.text for each in found.diagnostics)
        initialised = result.stderr.decoded()
        if found.errors and self._is_ours(task, after, found):
            return _judgement(Classification.ERROR, found, f"{text}\n{initialised}")
        if found.errors:
            return _judgement(_refused(task), found, text)
        if result.exit_code != 0:
            return _judgement(_refused(task), found, initialised)
        if not task.should_build or missing:
            wrong = (
                f"no longer declared: {', '.join(missing)}" if missing else "it is valid, and was not to be"
            )
            return _judgement(Classification.FAIL, found, f"{wrong}\n{text}")
        return (
            self._tested(task, after, found) if task.tests else _judgement(Classification.PASS, found, text)
        )

    def _is_ours(self, task: Task, after: Workspace, found: TerraformValidation) -> bool:
        """Whether this machine lacks what the project asked for before the answer changed it.

        Only runs without a word of the answer prove that: an answer may ask for a version that there is not.
        The project as it was may be too broken to say what is missing; its requirements alone are not.
        """
        reported = not_installed(found)
        if not reported and not _is_unchanged(task.before, after):
            return False
        lacking = self._lacking(task)
        if lacking is None:
            return bool(reported)
        # The runner checks the project as it was to find out whether the machine lacks anything.
        if not reported:
            return bool(lacking)
        return any(each in lacking or (lacking and not each[1]) for each in reported)

    def _lacking(self, task: Task) -> frozenset[tuple[str, str]] | None:
        """Return what is not installed of what the project asks for; None if Terraform does not say."""
        workspace = requirements(task.before)
        controls = [self._control(task)]
        if workspace is not None:
            controls.append(self._control(replace(task, before=workspace)))
        text = [not_installed(control) for control in controls if control is not None]
        return frozenset[tuple[str, str]]().union(*text) if len(text) == len(controls) else None

    def _tested(self, task: Task, after: Workspace, found: TerraformValidation) -> ProjectFacts:
        tested = run_tests(
            self._sandbox,
            self._terraform,
            after,
            tests=task.tests,
            wall_s=task.wall_s,
            memory_bytes=task.memory_bytes,
        )
        kind = tested.classification
        if not task.should_pass_tests and kind in {Classification.PASS, Classification.FAIL}:
            kind = verdict_of_tests(should_pass=False, passed=tested.passed, failed=tested.failed)
        judgement = _judgement(kind, found, tested.detail)
        facts = replace(
            judgement.facts,
            tests_passed=tested.passed,
            tests_failed=tested.failed,
            tests_ignored=tested.skipped,
            no_tests=_no_tests(tested),
        )
        return replace(judgement, facts=facts, peak_memory_bytes=tested.peak_memory_bytes)

    def _unclear(self, task: Task, after: Workspace, result: ExecResult) -> ProjectFacts:
        """Blame the answer for a validation without a result only if the project without it gives one."""
        blame = self._control(task) is not None
        if result.limit is not None:
            is_slow = result.limit in {Limit.WALL, Limit.CPU}
            kind = Classification.TIMEOUT if is_slow else Classification.CRASH
            detail = f"validation reached its limit: {result.limit}"
        else:
            # Once may be an accident of ours; twice is the answer's doing.
            again, results = self._validated(after, task, task.wall_s)
            blame = blame and results is None and again.limit is None
            kind, detail = Classification.CRASH, _crash(result)
        facts = Facts(classification=kind if blame else Classification.ERROR, built=False if blame else None)
        return ProjectFacts(facts=facts, detail=detail)

    def _control(self, task: Task) -> TerraformValidation | None:
        """Return what validation says of the project as it was; None if it says nothing."""
        key = hash((task.before.target, tuple(sorted(task.before.files.items()))))
        with self._lock:
            if key in self._controls:
                return self._controls[key]
        patient = replace(task, memory_bytes=max(task.memory_bytes, TERRAFORM_MEMORY))
        _, result = self._validated(task.before, patient, max(task.wall_s, _PATIENCE_S))
        with self._lock:
            if len(self._controls) >= _CONTROLS:
                self._controls.clear()
            self._controls[key] = result
        return result

    def _gone(self, task: Task, after: Workspace, missing: list[tuple[str, Block]]) -> list[str]:
        """Return what is gone, less what has only changed a type that there never was."""
        if not missing:
            return []
        control = self._control(task)
        wrong = {(error.line, error.summary) for error in (control.errors if control else [])}
        gone = []
        for folder, block in missing:
            had_wrong_type = any((block.line, summary) in wrong for summary in _WRONG_TYPE)
            if not (had_wrong_type and _has_namesake(after, folder, block)):
                gone.append(block.address)
        return gone


def _broken_rule(task: Task, files: Mapping[str, str]) -> ProjectFacts | None:
    """Return the judgement on an answer that need not be run."""
    forbidden = rules.forbidden_files(files, target=task.before.target)
    if forbidden:
        return _unrun(Classification.POLICY_VIOLATION, f"an answer may not bring {', '.join(forbidden)}")
    if task.should_build and rules.declares_nothing(files):
        return _unrun(Classification.FAIL, "the answer declares nothing")
    started = rules.new_programs(task.before, files) if "programs" not in task.terms.allow else []
    if started:
        return _unrun(Classification.POLICY_VIOLATION, f"the answer would start a program: {started[0]}")
    # Only tests give an answer something to read that it should not know.
    is_curious = bool(task.tests) and "files" not in task.terms.allow
    read = rules.new_readings(task.before, files) if is_curious else []
    if read:
        return _unrun(Classification.POLICY_VIOLATION, f"the answer reads files: {read[0]}")
    return None


def _unrun(kind: Classification, detail: str) -> ProjectFacts:
    return ProjectFacts(facts=Facts(classification=kind), detail=excerpt(detail))


def _judgement(kind: Classification, found: TerraformValidation, detail: str) -> ProjectFacts:
    is_evidence = kind is not Classification.ERROR
    facts = Facts(
        classification=kind,
        built=kind is not Classification.BUILD_ERROR and not found.errors if is_evidence else None,
        diagnostic_errors=len(found.errors) if is_evidence else None,
        diagnostic_warnings=found.warnings if is_evidence else None,
    )
    return ProjectFacts(facts=facts, detail=excerpt(detail))


def _refused(task: Task) -> Classification:
    return Classification.BUILD_ERROR if task.should_build else Classification.PASS


def _no_tests(tested: Tested) -> NoTests | None:
    if tested.expected == 0:
        return NoTests.NONE_DEFINED
    return NoTests.NONE_COLLECTED if tested.passed == tested.failed == 0 else None


def _has_namesake(after: Workspace, folder: str, block: Block) -> bool:
    """Whether there is a block of the same kind and name, whatever its type."""
    return any(
        other.kind == block.kind and other.labels[-1] == block.labels[-1]
        for path in after.module(folder)
        for other in scan(after.code(path)).declared.values()
    )


def _is_unchanged(before: Workspace, after: Workspace) -> bool:
    """Whether an answer gives the files back as they were, but for blanks and line ends."""
    replaced = (path for path, content in after.files.items() if content is not before.files.get(path))
    return all(after.code(path).split() == before.code(path).split() for path in replaced)


def _crash(result: ExecResult) -> str:
    """Return the line that says why; the rest of a Go trace differs every time."""
    lines = result.stderr.decoded().splitlines()
    text = next((line for line in lines if line.startswith(_CRASH_LINES)), "")
    return excerpt(f"terraform crashed {text}".strip())
