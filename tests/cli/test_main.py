"""The command itself: exit codes, help, and what happens when something breaks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import steelyard.cli.main as module
from steelyard import __main__
from steelyard.app.environment import is_key
from steelyard.errors import InfrastructureError, InputError
from steelyard.model.version import GENERATOR
from steelyard.providers.llm.access import VENDORS
from tests.commands import typed, written

TEXT = "model,case,attempt,passed\na,c,0,True\n"


def breaking(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make every command fail in the same way."""

    def app(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(module, "app", app)


def test_version_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed(capsys, "--version") == (0, f"{GENERATOR}\n", "")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_lists_the_commands_and_the_exit_codes(capsys: pytest.CaptureFixture[str], option: str) -> None:
    shown = typed(capsys, option)

    assert shown.code == 0
    assert all(command in shown.out for command in ("score", "compare", "pass-at-k", "baseline"))
    assert "Exit codes: 0 success, 1 gate failed" in shown.out


def test_whoever_types_nothing_is_shown_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys)

    assert (shown.code, shown.err) == (2, "")
    assert "Usage: steelyard" in shown.out


@pytest.mark.parametrize(
    ("error", "code"), [(InputError("x.csv: is wrong"), 2), (InfrastructureError("the disk is gone"), 3)]
)
def test_an_error_of_ours_gives_its_exit_code_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int
) -> None:
    breaking(monkeypatch, error)

    assert typed(capsys) == (code, "", f"error: {error}\n")


def test_a_bug_gives_exit_code_3_and_asks_to_be_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    breaking(monkeypatch, ZeroDivisionError("oh"))

    shown = typed(capsys)

    assert shown.code == 3
    assert "ZeroDivisionError: oh" in shown.err
    assert shown.err.endswith("error: this is a bug in Steelyard; please report it with the lines above\n")


def test_ctrl_c_while_the_command_line_is_loaded_gives_130_and_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupts:
        def find_spec(self, name: str, *_: object) -> None:
            if name == module.__name__:
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, module.__name__)
    monkeypatch.setattr(sys, "meta_path", [Interrupts(), *sys.meta_path])

    assert __main__.main() == 130
    assert capsys.readouterr().err == "interrupted; nothing was started\n"


def test_ctrl_c_gives_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    breaking(monkeypatch, KeyboardInterrupt())

    assert typed(capsys) == (130, "", "")


def test_ctrl_c_while_a_command_is_loaded_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "import_module", pressed)

    assert typed(capsys, "run") == (130, "", "interrupted; nothing was started\n")


def test_a_usage_error_without_a_command_points_at_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "weigh")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err == "error: No such command 'weigh'.\nSee 'steelyard --help'.\n"


def test_the_words_of_the_process_are_taken_when_none_are_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["steelyard", "--version"])

    assert module.main() == 0
    assert capsys.readouterr().out == f"{GENERATOR}\n"


def test_names_in_an_error_cannot_command_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "score", "\x1b(evil.csv")

    assert shown.err == "error: \\x1b(evil.csv: no such file\n"


def test_an_option_can_be_set_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    monkeypatch.setenv("STEELYARD_SCORE_PASS_K", "1,7")

    shown = typed(capsys, "score", path, "--format", "csv")

    assert "pass@7" in shown.out


def test_what_is_typed_wins_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    monkeypatch.setenv("STEELYARD_SCORE_PASS_K", "7")

    shown = typed(capsys, "score", path, "--format", "csv", "--pass-k", "3")

    assert "pass@3" in shown.out
    assert "pass@7" not in shown.out


def test_only_keys_are_taken_from_the_file_of_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = written(tmp_path, "case,attempt,passed\na,0,True\n")
    lines = (
        "LAB_KEY=of-the-file",
        "export SET_API_KEY=of-the-file",
        "LAB_TOKEN=t",
        "STEELYARD_SCORE_FORMAT=csv",
        "STEELYARD_OTHER_TOKEN=t",
        "OPENAI_BASE_URL=http://example.org",
        "PATH_KEYS=x",
    )
    written(tmp_path, "\n".join(lines), ".env")
    monkeypatch.chdir(tmp_path)
    # Set first, so that what the command sets is taken back after the test.
    for name in ("LAB_KEY", "LAB_TOKEN", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("SET_API_KEY", "of-the-environment")

    shown = typed(capsys, "score", outcomes)

    assert shown.code == 0
    assert not shown.out.startswith("model,tier")
    assert shown.err.startswith(
        "note: .env may contain keys only; ignored: "
        "STEELYARD_SCORE_FORMAT, STEELYARD_OTHER_TOKEN, OPENAI_BASE_URL, PATH_KEYS\n"
    )
    assert "of-the-file" not in shown.out + shown.err
    assert os.environ["LAB_KEY"] == "of-the-file"
    assert os.environ["LAB_TOKEN"] == "t"
    assert os.environ["SET_API_KEY"] == "of-the-environment"
    assert "OPENAI_BASE_URL" not in os.environ


def test_the_key_of_every_vendor_is_a_key_by_its_name() -> None:
    assert all(is_key(name) for vendor in VENDORS.values() for name in vendor.key_names)
    assert not any(is_key(name) for vendor in VENDORS.values() for name in vendor.url_names)


def test_a_key_in_a_file_of_variables_that_cannot_be_read_is_named_by_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "words of another tool\nLAB_API_KEY='sk-secret\n", ".env")
    monkeypatch.chdir(tmp_path)

    shown = typed(capsys, "doctor")

    assert shown.code == 2
    assert ".env:2: expected NAME=value" in shown.err
    assert "sk-secret" not in shown.err


def test_a_wrong_value_in_the_environment_is_refused_like_a_typed_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    monkeypatch.setenv("STEELYARD_SCORE_PASS_K", "none")

    shown = typed(capsys, "score", path)

    why = "expected integers from 1, such as 1,5,10; got 'none' (STEELYARD_SCORE_PASS_K is set)"
    assert (shown.code, shown.err) == (2, f"error: --pass-k: {why}\n")


@pytest.mark.check_all
@pytest.mark.skipif(os.name == "nt", reason="closes a pipe in the manner of Unix")
def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path: Path) -> None:
    path = written(tmp_path, TEXT + "".join(f"a,case {place},0,True\n" for place in range(3000)))
    command = [sys.executable, "-m", "steelyard", "score", str(path), "--format", "json"]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()
        code = process.wait()

    assert (code, complaint) == (0, b"")
