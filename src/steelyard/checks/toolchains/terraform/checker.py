"""Check Terraform answers: valid, complete, and without forbidden files or programs."""

import time

from steelyard.checks.extraction.extract import extract, extraction_tools
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.grading.integrity import integrity_of_tests
from steelyard.checks.grading.limits import memory_bytes
from steelyard.checks.toolchains.terraform.project_validator import ProjectValidator, Task
from steelyard.checks.toolchains.terraform.rules import rules_of
from steelyard.checks.toolchains.terraform.tool import TERRAFORM_MEMORY, installed
from steelyard.checks.toolchains.terraform.workspace import placed, workspace_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.ports import Sandbox

VERSION = "2"  # of the check; raise it when equal answers may get other outcomes


class TerraformChecker:
    """Validates a copy of the case's project with the answer; thread-safe.

    `providers` is a filesystem mirror; without it only built-in providers are available.
    """

    def __init__(self, sandbox: Sandbox, *, providers: str | None = None) -> None:
        self._sandbox = sandbox
        self._terraform = installed(providers=providers)
        self._validator = ProjectValidator(sandbox, self._terraform)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return the outcome of validation and tests."""
        require_no_demands(case, "max_lint_warnings")
        began = time.monotonic()
        outcome = self._check(case, answer)
        tools = {"grader": VERSION, "terraform": self._terraform.version, **extraction_tools("terraform")}
        return Outcome(
            facts=outcome.facts,
            check_digest=check_digest("terraform", case, tools=tools),
            check_us=round((time.monotonic() - began) * 1e6),
            peak_memory_bytes=outcome.peak_memory_bytes,
            integrity=integrity_of_tests(case),
            detail=outcome.detail,
        )

    def _check(self, case: Case, answer: str) -> Outcome:
        workspace = workspace_of(case)
        extracted = extract(answer, "terraform", files=case.files)
        if not extracted.is_code:
            return explained(Classification.WRONG_FORMAT, "the answer contains no Terraform code")
        task = Task(
            before=workspace,
            rules=rules_of(case.expectations),
            tests=case.expectations.tests,
            should_pass_tests=case.expectations.should_pass_tests,
            should_build=case.expectations.should_build,
            wall_s=case.timeout_s,
            memory_bytes=memory_bytes(case, default=TERRAFORM_MEMORY),
        )
        try:
            validated = self._validator.validate(task, placed(extracted, workspace))
            outcome = Outcome(
                facts=validated.facts,
                detail=validated.detail,
                peak_memory_bytes=validated.peak_memory_bytes,
            )
            return with_custom_check(outcome, case, extracted.code, self._sandbox)
        except SandboxError as error:
            return explained(Classification.ERROR, str(error))
