"""In a job of GitHub Actions no printed line is taken for a workflow command."""

import re

import pytest

from steelyard.cli.screen import note, show
from tests.commands import typed

COMMAND = re.compile(r"##\[|^\s*::", re.MULTILINE)
LINES = ("::warning file=a::s0", "  ::error::pwn", "##[group]x", "an answer: ##[set-output name=a]b")


@pytest.mark.parametrize("line", LINES)
def test_results_and_remarks_hold_no_command(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    show(f"{line}\n")
    note(line)

    printed = capsys.readouterr()
    for text in (printed.out, printed.err):
        assert not COMMAND.search(text)
        assert text.replace(" ", "") == f"{line}\n".replace(" ", "")


def test_other_lines_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    show("a::b\n# heading\n[::1]\n")

    assert capsys.readouterr().out == "a::b\n# heading\n[::1]\n"


@pytest.mark.parametrize("has_actions", [True, False])
def test_only_jobs_of_github_actions_break_them_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, has_actions: bool
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    if has_actions:
        monkeypatch.setenv("GITHUB_ACTIONS", "true")

    shown = typed(capsys, "report", "x\n::error::pwn")

    assert shown.code == 2
    assert ("\n::error" in shown.err) is not has_actions
