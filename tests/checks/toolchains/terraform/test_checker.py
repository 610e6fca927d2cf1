"""Telling infrastructure errors from the answer's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.checks.toolchains.terraform.checker import TerraformChecker
from steelyard.checks.toolchains.terraform.tool import installed
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.case import Case
from steelyard.model.execution import Command, ExecResult, Limit, Stream
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.toolchains.terraform.cases import REPAIR, RIGHT, case
from tests.commands import written

VALID = b'{"valid": true, "error_count": 0, "diagnostics": []}'


class ScriptedSandbox:
    """Gives prepared results."""

    def __init__(self, *results: ExecResult) -> None:
        self._results: Iterator[ExecResult] = iter(results)

    def run(self, command: Command) -> ExecResult:
        return next(self._results)


def result(text: bytes = b"", *, limit: Limit | None = None, exit_code: int = 0) -> ExecResult:
    stream = Stream(text=text, size=len(text))
    return ExecResult(
        exit_code=exit_code, limit=limit, stdout=stream, stderr=Stream(text=b"panic: x\nat 0x1")
    )


GOOD, BAD, SLOW = result(VALID), result(b"!!!", exit_code=2), result(limit=Limit.WALL)


@pytest.mark.parametrize(
    ("results", "kind"),
    [
        (
            [BAD, GOOD, BAD],
            Classification.CRASH,
        ),  # the answer crashes it, twice, and the project alone does not
        ([BAD, GOOD, GOOD], Classification.ERROR),  # once is an accident
        ([BAD, BAD, BAD], Classification.ERROR),  # the project alone crashes it too
        ([SLOW, GOOD], Classification.TIMEOUT),
        ([SLOW, SLOW], Classification.ERROR),
        ([result(limit=Limit.MEMORY), GOOD], Classification.CRASH),
        ([result(VALID, exit_code=1)], Classification.BUILD_ERROR),  # what cannot be initialised is not valid
    ],
)
def test_only_what_the_answer_did_is_blamed_on_it(results: list[ExecResult], kind: Classification) -> None:
    outcome = TerraformChecker(ScriptedSandbox(*results)).check(REPAIR, RIGHT)

    assert outcome.facts.classification is kind
    assert "0x1" not in outcome.detail or kind is Classification.BUILD_ERROR


def test_providers_are_installed_from_the_folder_that_was_given(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    provider = "registry.terraform.io/hashicorp/fake/1.0.0/linux_amd64/terraform-provider-fake_v1.0.0"
    written(tmp_path, "#!/bin/sh\nexit 1\n", provider).chmod(0o755)
    asked = case({"main.tf": 'resource "fake_thing" "x" {\n'})
    answer = 'resource "fake_thing" "x" {\n}\n'

    def detail(providers: str | None) -> tuple[Classification | None, str]:
        outcome = TerraformChecker(BubblewrapSandbox(), providers=providers).check(asked, answer)
        return outcome.facts.classification, outcome.detail

    without, within = detail(None), detail(str(tmp_path))

    assert "Missing required provider" in without[1]
    assert "Failed to load plugin schemas" in within[1]  # it was found, and is none
    assert without[0] is within[0] is Classification.ERROR


FAKE = 'resource "fake_thing" "x" {\n}\n'
PINNED = """\
terraform {
  required_providers {
    fake = {
      source  = "hashicorp/fake"
      version = "= VERSION"
    }
  }
}
"""


@pytest.mark.parametrize(
    ("original", "answer", "kind"),
    [
        (f"{FAKE}output", FAKE, Classification.ERROR),  # it is there, and does not work
        (f"{FAKE}output", FAKE + PINNED.replace("VERSION", "9.9.9"), Classification.BUILD_ERROR),
        (FAKE, FAKE + PINNED.replace("VERSION", "9.9.9"), Classification.BUILD_ERROR),
        (FAKE, FAKE + 'terraform {\n  required_version = ">= 99"\n}\n', Classification.BUILD_ERROR),
        (
            PINNED.replace("VERSION", "2.0.0") + f"{FAKE}output",
            PINNED.replace("VERSION", "2.0.0") + FAKE,
            Classification.ERROR,
        ),
        (FAKE, PINNED.replace("fake", "other").replace("VERSION", "1.0.0"), Classification.BUILD_ERROR),
    ],
)
def test_only_what_the_project_asked_for_by_itself_can_be_missing_by_our_fault(
    original: str, answer: str, kind: Classification, tmp_path: Path
) -> None:
    tmp_path.chmod(0o755)
    provider = "registry.terraform.io/hashicorp/fake/1.0.0/linux_amd64/terraform-provider-fake_v1.0.0"
    written(tmp_path, "#!/bin/sh\nexit 1\n", provider).chmod(0o755)
    checker = TerraformChecker(BubblewrapSandbox(), providers=str(tmp_path))

    outcome = checker.check(case({"main.tf": original}), answer)

    assert outcome.facts.classification is kind, outcome.detail


def test_a_machine_without_terraform_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InfrastructureError, match="terraform"):
        TerraformChecker(BubblewrapSandbox.__new__(BubblewrapSandbox))

    written(tmp_path, "#!/bin/sh\necho hello\n", "terraform").chmod(0o755)
    with pytest.raises(InfrastructureError, match="version"):
        installed()


@pytest.mark.parametrize("path", ["../main.tf", "/main.tf", "main.txt"])
def test_a_target_must_be_code_inside_of_the_project(path: str) -> None:
    with pytest.raises(InputError, match="relative"):
        TerraformChecker(BubblewrapSandbox()).check(case(settings={"file": path}), RIGHT)


def test_a_custom_check_has_the_last_word() -> None:
    def kind(custom: str) -> Classification | None:
        asked: Case = case(custom_check=custom)
        return TerraformChecker(BubblewrapSandbox()).check(asked, RIGHT).facts.classification

    assert kind("grep -q var.size") is Classification.PASS
    assert kind("exit 1") is Classification.FAIL
