"""Check answers in Terraform: valid, nothing lost, nothing brought along that does not belong."""

import time

from steelyard.checks.extraction.extract import extract, extraction_tools
from steelyard.checks.grading.demands import require_no_demands, with_custom_check
from steelyard.checks.grading.digests import check_digest
from steelyard.checks.grading.excerpts import explained
from steelyard.checks.grading.integrity import integrity_of_tests
from steelyard.checks.grading.limits import memory_bytes
from steelyard.checks.toolchains.terraform.judgement import ProjectValidator, Task
from steelyard.checks.toolchains.terraform.rules import terms_of
from steelyard.checks.toolchains.terraform.tool import TERRAFORM_MEMORY, installed
from steelyard.checks.toolchains.terraform.workspace import placed, workspace_of
from steelyard.errors import SandboxError
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Outcome
from steelyard.ports import Sandbox

VERSION = "2"  # of what a check means; raised when an equal answer may get another outcome


class TerraformChecker:
    """Validates a copy of the case's project with the answer in it; safe to call from many threads.

    `providers` is a folder laid out as a filesystem mirror; without it only built-in providers are there.
    """

    def __init__(self, sandbox: Sandbox, *, providers: str | None = None) -> None:
        self._sandbox = sandbox
        self._terraform = installed(providers=providers)
        self._judge = ProjectValidator(sandbox, self._terraform)

    def check(self, case: Case, answer: str) -> Outcome:
        """Return what validation, and the tests if there are any, saw."""
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
        result = extract(answer, "terraform", files=case.files)
        if not result.found:
            return explained(Classification.WRONG_FORMAT, "there is no Terraform code in the answer")
        task = Task(
            before=workspace,
            terms=terms_of(case.expectations),
            tests=case.expectations.tests,
            should_pass_tests=case.expectations.should_pass_tests,
            should_build=case.expectations.should_build,
            wall_s=case.timeout_s,
            memory_bytes=memory_bytes(case, default=TERRAFORM_MEMORY),
        )
        try:
            judged = self._judge.judge(task, placed(result, workspace))
            outcome = Outcome(
                facts=judged.facts, detail=judged.detail, peak_memory_bytes=judged.peak_memory_bytes
            )
            return with_custom_check(outcome, case, result.code, self._sandbox)
        except SandboxError as error:
            return explained(Classification.ERROR, str(error))
