"""Putting text where the user wants it."""

import io
import sys
from pathlib import Path

import pytest

from steelyard.app.files import write_file
from steelyard.cli import screen
from steelyard.errors import InputError
from tests.commands import typed, written

TEXT = "model,case,attempt,passed\na,c,0,True\n"


@pytest.mark.check_all
def test_a_report_is_written_to_every_file_and_printed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    files = [tmp_path / "new" / f"report.{suffix}" for suffix in ("txt", "json", "md", "csv")]

    shown = typed(capsys, "score", path, *(word for file in files for word in ("-o", file)))

    assert shown.code == 0
    for file, form in zip(files, ("text", "json", "markdown", "csv"), strict=True):
        printed = typed(capsys, "score", path, "--details", "--format", form).out
        assert file.read_bytes().decode() == printed


def test_an_unknown_format_is_refused_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent.csv"

    assert "unknown format 'pdf'" in typed(capsys, "score", absent, "--format", "pdf").err
    assert "report.pdf: the suffix" in typed(capsys, "score", absent, "-o", "report.pdf").err
    assert (
        "x.csv: the suffix"
        in typed(capsys, "compare", "--baseline", absent, "--current", absent, "-o", "x.csv").err
    )


def test_a_format_that_is_not_text_is_not_for_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = typed(capsys, "score", written(tmp_path, TEXT), "--format", "parquet")

    assert shown.code == 2
    assert "summary.parquet" in shown.err


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_file(written(tmp_path, "", "file") / "below.txt", "text")


def test_what_the_output_cannot_hold_is_spelt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252", newline=""))

    screen.show("é ≥ $1\n")

    assert raw.getvalue() == b"\xe9 \\u2265 $1\n"


def test_a_note_keeps_its_line_breaks_and_spells_out_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    screen.note("first\n\nsecond \x1b[31m")

    assert capsys.readouterr().err == "first\n\nsecond \\x1b[31m\n"


def test_colour_is_for_a_terminal_and_never_for_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    plain = typed(capsys, "score", path, "--details").out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)

    shown = typed(capsys, "score", path, "-o", tmp_path / "report.txt")

    assert "\x1b[" in shown.out
    assert (tmp_path / "report.txt").read_bytes().decode() == plain


def test_an_address_is_shown_as_one_would_type_it_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert screen.address_here(str(tmp_path / "runs" / "one")) == "runs/one"
    assert screen.address_here("s3://bucket/runs/one") == "s3://bucket/runs/one"
    assert screen.address_here("/elsewhere/one") == "/elsewhere/one"


def test_on_github_no_text_is_taken_for_a_command_of_the_runner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "it said: ##[set-output name=folder]/home\n  ::add-mask::x\nstd::fmt"
    screen.note(said)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    screen.note(said)
    screen.show(f"{said}\n")

    found = capsys.readouterr()
    safe = "it said: ## [set-output name=folder]/home\n  : :add-mask::x\nstd::fmt\n"
    assert (found.err, found.out) == (f"{said}\n{safe}", safe)
