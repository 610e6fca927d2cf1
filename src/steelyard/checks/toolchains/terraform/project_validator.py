"""Validate changed Terraform projects; separate the answer's errors from infrastructure errors."""

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

# Errors about a block's type: the type may change, the name must not.
_WRONG_TYPE = frozenset({"Invalid resource type", "Invalid data source"})
_CONTROLS = 256  # cached projects
_PATIENCE_S = 60.0  # for projects without the answer
_CRASH_LINES = ("panic:", "fatal error:", "runtime: out of memory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A project with requirements on the answer and limits."""

    before: Workspace
    rules: CaseRules = field(default_factory=CaseRules)
    tests: str = ""
    should_build: bool = True
    should_pass_tests: bool = True
    wall_s: float = 60.0
    memory_bytes: int = TERRAFORM_MEMORY


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFacts:
    """The facts about a changed project, and messages."""

    facts: Facts
    detail: str = ""
    peak_memory_bytes: int | None = None


class ProjectValidator:
    """Validates changed projects in a sandbox; thread-safe."""

    def __init__(self, sandbox: Sandbox, terraform: Terraform) -> None:
        self._sandbox = sandbox
        self._terraform = terraform
        self._lock = threading.Lock()
        self._controls: dict[int, TerraformValidation | None] = {}

    def validate(self, task: Task, files: Mapping[str, str]) -> ProjectFacts:
        """Return the facts about a project with the answer's files."""
        violation = _violation(task, files)
        if violation is not None:
            return violation
        after = task.before.changed(files)
        required_blocks = rules.required_blocks(task.before, files, task.rules)
        missing = rules.missing(required_blocks, after)
        gone = self._gone(task, after, missing)
        absent = {block.address for _, block in missing}
        # The probe verifies the blocks that the scanner found.
        probe = Probe(
            blocks=tuple(
                block for address, block in required_blocks[after.folder].items() if address not in absent
            )
        )
        probed = after.changed({probe.path(after.folder): probe.text})
        ended, validation = self._validated(probed, task, task.wall_s)
        if validation is None:
            facts = self._without_validation(task, after, ended)
        else:
            hidden = [error.detail for error in validation.errors if error.filename == probe.filename]
            facts = self._facts(task, after, validation.without(probe.filename), ended, (*gone, *hidden))
        memory = facts.peak_memory_bytes or ended.peak_memory_bytes
        return replace(facts, peak_memory_bytes=memory)

    def _validated(
        self, workspace: Workspace, task: Task, wall_s: float
    ) -> tuple[ExecResult, TerraformValidation | None]:
        command = self._terraform.validation(workspace, wall_s=wall_s, memory_bytes=task.memory_bytes)
        ended = self._sandbox.run(command)
        return ended, parse_validation(ended.stdout.decoded()) if ended.limit is None else None

    def _facts(
        self,
        task: Task,
        after: Workspace,
        validation: TerraformValidation,
        ended: ExecResult,
        missing: Sequence[str],
    ) -> ProjectFacts:
        """Return the facts of a completed validation."""
        text = "\n".join(diagnostic.text for diagnostic in validation.diagnostics)
        initialised = ended.stderr.decoded()
        if validation.errors and self._is_infrastructure_error(task, after, validation):
            return _validation_facts(Classification.ERROR, validation, f"{text}\n{initialised}")
        if validation.errors:
            return _validation_facts(_build_failure(task), validation, text)
        if ended.exit_code != 0:
            return _validation_facts(_build_failure(task), validation, initialised)
        if not task.should_build or missing:
            problem = (
                f"no longer declared: {', '.join(missing)}"
                if missing
                else "the project is valid, but must not be"
            )
            return _validation_facts(Classification.FAIL, validation, f"{problem}\n{text}")
        return (
            self._tested(task, after, validation)
            if task.tests
            else _validation_facts(Classification.PASS, validation, text)
        )

    def _is_infrastructure_error(self, task: Task, after: Workspace, validation: TerraformValidation) -> bool:
        """Whether this machine lacks requirements of the original project.

        Only runs without the answer prove that: an answer may require a version that does not exist. If the
        original project is too broken to report what is missing, its requirements alone are validated.
        """
        reported = not_installed(validation)
        if not reported and not _is_unchanged(task.before, after):
            return False
        lacking = self._lacking(task)
        if lacking is None:
            return bool(reported)
        # The runner checks the unchanged project to detect missing requirements.
        if not reported:
            return bool(lacking)
        return any(error in lacking or (lacking and not error[1]) for error in reported)

    def _lacking(self, task: Task) -> frozenset[tuple[str, str]] | None:
        """Return the missing requirements of the original project; None if Terraform does not report them."""
        workspace = requirements(task.before)
        controls = [self._control(task)]
        if workspace is not None:
            controls.append(self._control(replace(task, before=workspace)))
        missing = [not_installed(control) for control in controls if control is not None]
        return frozenset[tuple[str, str]]().union(*missing) if len(missing) == len(controls) else None

    def _tested(self, task: Task, after: Workspace, validation: TerraformValidation) -> ProjectFacts:
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
        tested_facts = _validation_facts(kind, validation, tested.detail)
        facts = replace(
            tested_facts.facts,
            tests_passed=tested.passed,
            tests_failed=tested.failed,
            tests_ignored=tested.skipped,
            no_tests=_no_tests(tested),
        )
        return replace(tested_facts, facts=facts, peak_memory_bytes=tested.peak_memory_bytes)

    def _without_validation(self, task: Task, after: Workspace, ended: ExecResult) -> ProjectFacts:
        """Return the facts without a result: the answer failed only if the original project has a result."""
        is_answers = self._control(task) is not None
        if ended.limit is not None:
            is_slow = ended.limit in {Limit.WALL, Limit.CPU}
            kind = Classification.TIMEOUT if is_slow else Classification.CRASH
            detail = f"validation reached its limit: {ended.limit}"
        else:
            # The first time may be an infrastructure error; the second is the answer's failure.
            again, validation = self._validated(after, task, task.wall_s)
            is_answers = is_answers and validation is None and again.limit is None
            kind, detail = Classification.CRASH, _crash(ended)
        facts = Facts(
            classification=kind if is_answers else Classification.ERROR, built=False if is_answers else None
        )
        return ProjectFacts(facts=facts, detail=detail)

    def _control(self, task: Task) -> TerraformValidation | None:
        """Return the validation of the original project, cached; None without a result."""
        key = hash((task.before.target, tuple(sorted(task.before.files.items()))))
        with self._lock:
            if key in self._controls:
                return self._controls[key]
        patient = replace(task, memory_bytes=max(task.memory_bytes, TERRAFORM_MEMORY))
        _, validation = self._validated(task.before, patient, max(task.wall_s, _PATIENCE_S))
        with self._lock:
            if len(self._controls) >= _CONTROLS:
                self._controls.clear()
            self._controls[key] = validation
        return validation

    def _gone(self, task: Task, after: Workspace, missing: list[tuple[str, Block]]) -> list[str]:
        """Return missing blocks, except those that only changed an invalid type."""
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


def _violation(task: Task, files: Mapping[str, str]) -> ProjectFacts | None:
    """Return the facts about an answer that breaks a rule, or None."""
    forbidden = rules.forbidden_files(files, target=task.before.target)
    if forbidden:
        return _unrun(Classification.POLICY_VIOLATION, f"an answer must not contain {', '.join(forbidden)}")
    if task.should_build and rules.declares_nothing(files):
        return _unrun(Classification.FAIL, "the answer declares nothing")
    started = rules.new_programs(task.before, files) if "programs" not in task.rules.allow else []
    if started:
        return _unrun(Classification.POLICY_VIOLATION, f"the answer would start a program: {started[0]}")
    # Only tests are files that an answer must not read.
    may_not_read = bool(task.tests) and "files" not in task.rules.allow
    read = rules.new_readings(task.before, files) if may_not_read else []
    if read:
        return _unrun(Classification.POLICY_VIOLATION, f"the answer reads files: {read[0]}")
    return None


def _unrun(kind: Classification, detail: str) -> ProjectFacts:
    return ProjectFacts(facts=Facts(classification=kind), detail=excerpt(detail))


def _validation_facts(kind: Classification, validation: TerraformValidation, detail: str) -> ProjectFacts:
    is_evidence = kind is not Classification.ERROR
    facts = Facts(
        classification=kind,
        built=kind is not Classification.BUILD_ERROR and not validation.errors if is_evidence else None,
        diagnostic_errors=len(validation.errors) if is_evidence else None,
        diagnostic_warnings=validation.warnings if is_evidence else None,
    )
    return ProjectFacts(facts=facts, detail=excerpt(detail))


def _build_failure(task: Task) -> Classification:
    return Classification.BUILD_ERROR if task.should_build else Classification.PASS


def _no_tests(tested: Tested) -> NoTests | None:
    if tested.expected == 0:
        return NoTests.NONE_DEFINED
    return NoTests.NONE_COLLECTED if tested.passed == tested.failed == 0 else None


def _has_namesake(after: Workspace, folder: str, block: Block) -> bool:
    """Whether a block with the same kind and name exists, of any type."""
    return any(
        other.kind == block.kind and other.labels[-1] == block.labels[-1]
        for path in after.module(folder)
        for other in scan(after.code(path)).declared.values()
    )


def _is_unchanged(before: Workspace, after: Workspace) -> bool:
    """Whether the answer's files equal the original ones, except for whitespace."""
    replaced = (path for path, content in after.files.items() if content is not before.files.get(path))
    return all(after.code(path).split() == before.code(path).split() for path in replaced)


def _crash(ended: ExecResult) -> str:
    """Return the reason; the rest of a Go trace differs between runs."""
    lines = ended.stderr.decoded().splitlines()
    text = next((line for line in lines if line.startswith(_CRASH_LINES)), "")
    return excerpt(f"terraform crashed {text}".strip())
