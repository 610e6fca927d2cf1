"""Run graded `terraform test` files against a changed project."""

import secrets
from dataclasses import dataclass

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.diagnostics import parse_tests
from steelyard.checks.toolchains.terraform.tool import TERRAFORM_MEMORY, Terraform
from steelyard.checks.toolchains.terraform.workspace import Workspace
from steelyard.model.execution import ExecResult, Limit
from steelyard.model.outcome import Classification
from steelyard.ports import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """The results of graded runs; expected runs without a pass have failed."""

    expected: int
    passed: int
    failed: int
    skipped: int
    classification: Classification
    detail: str
    peak_memory_bytes: int | None = None


def run_tests(  # noqa: PLR0913  # tests, project and limits
    sandbox: Sandbox,
    terraform: Terraform,
    workspace: Workspace,
    *,
    tests: str,
    wall_s: float,
    memory_bytes: int = TERRAFORM_MEMORY,
) -> Tested:
    """Run tests; only runs defined in `tests` count."""
    expected = [block.labels[0] for block in scan(tests).blocks if block.kind == "run" and block.depth == 0]
    folder = f"graded_{secrets.token_hex(8)}"
    command = terraform.testing(workspace, tests, folder=folder, wall_s=wall_s, memory_bytes=memory_bytes)
    ended = sandbox.run(command)
    runs, errors, is_complete = parse_tests(ended.stdout.decoded())
    statuses = [runs.get(name) for name in expected]
    passed = statuses.count("pass")
    skipped = statuses.count("skip") if passed == len(expected) - statuses.count("skip") else 0
    kind = _kind(ended, is_complete=is_complete, all_passed=0 < passed == len(expected))
    good = {"pass", "skip"} if skipped else {"pass"}
    failures = [f"{name}: {runs.get(name, 'no result')}" for name in expected if runs.get(name) not in good]
    text = "\n".join([*failures, *(error.text for error in errors)])
    return Tested(
        expected=len(expected),
        passed=passed,
        failed=len(expected) - passed - skipped,
        skipped=skipped,
        classification=kind,
        detail=excerpt(text if errors else f"{text}\n{ended.stderr.decoded()}", hide=(folder,)),
        peak_memory_bytes=ended.peak_memory_bytes,
    )


def _kind(ended: ExecResult, *, is_complete: bool, all_passed: bool) -> Classification:
    if ended.limit in {Limit.WALL, Limit.CPU}:
        return Classification.TIMEOUT
    # Only hostile projects produce so much output.
    if ended.limit is not None or ended.signal is not None or ended.stdout.truncated:
        return Classification.CRASH
    if not is_complete:
        is_panic = ended.stderr.decoded().startswith(("panic:", "fatal error:"))
        return Classification.CRASH if is_panic else Classification.ERROR
    return Classification.PASS if all_passed and ended.exit_code == 0 else Classification.FAIL
