"""Places where nothing can be written, read or found: an error of one line, and never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.app.init import init
from steelyard.app.validate import load_eval_set
from steelyard.errors import InputError
from tests.commands import typed, written

TEXT = "model,case,attempt,passed\na,c,0,True\n"


def steelyard(command: str, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell; `$STEELYARD` is the program."""
    program = f"{sys.executable} -m steelyard {' '.join(map(str, words))}"
    return subprocess.run(
        ["/bin/sh", "-c", command.replace("$STEELYARD", program)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **variables},
    )


@pytest.mark.check_all
def test_a_result_for_a_full_disk_is_an_error_of_one_line(tmp_path: Path) -> None:
    done = steelyard("$STEELYARD > /dev/full", "score", written(tmp_path, TEXT))

    assert done.returncode == 3
    assert done.stderr == "error: cannot write the result to standard output (No space left on device)\n"


@pytest.mark.check_all
def test_a_closed_output_changes_no_exit_code(tmp_path: Path) -> None:
    done = steelyard("$STEELYARD >&-", "score", written(tmp_path, TEXT))

    assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_is_too_long_is_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "validate", "x" * 300)

    assert shown.code == 2
    assert "there is no such file or folder" in shown.err


def test_a_folder_that_cannot_be_searched_is_an_error_of_the_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root every folder can be searched, so the system is made to refuse."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(Path, "exists", refuse)

    with pytest.raises(InputError, match="written"):
        init(tmp_path / "new")


def test_a_long_cell_of_a_table_of_prompts_is_read(tmp_path: Path) -> None:
    long = "assert f(1) == 1\n" * 10_000
    table = written(tmp_path, f'prompt,language,tests\nWrite f.,python,"{long}"\n', "long.csv")

    init(tmp_path, from_csv=table)

    (case,) = load_eval_set(tmp_path / "eval-sets" / "long.toml").cases
    assert case.expectations.tests.strip() == long.strip()


@pytest.mark.check_all
def test_doctor_says_that_there_is_no_home() -> None:
    lines = "import os, pwd; pwd.getpwuid = lambda _: {}['none']; os.environ.pop('HOME', None)"
    start = f"{lines}; from steelyard.cli.main import main; raise SystemExit(main(['doctor']))"

    done = steelyard(f'{sys.executable} -c "{start}"', XDG_CACHE_HOME="")

    assert "Traceback" not in done.stderr
    assert "this user has no home folder" in done.stdout
    assert "set XDG_CACHE_HOME to a folder of your own" in done.stdout


def test_like_without_a_dry_run_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "run", "starter", "--models", "x/m", "--like", "runs/before")

    assert shown.code == 2
    assert "--like requires --dry-run" in shown.err
