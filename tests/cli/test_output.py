"""Putting text where the user wants it."""

import io
import sys
from pathlib import Path

import pytest
from typing_extensions import override

from steelyard.cli import output
from steelyard.errors import InputError, UserError
from steelyard.plugins import REPORT_RENDERERS
from tests.commands import typed, written

TEXT = "model,case,attempt,passed\na,c,0,True\n"


def test_a_report_is_written_to_every_file_and_printed_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    files = [tmp_path / "new" / f"report.{suffix}" for suffix in ("txt", "json", "md", "csv")]

    shown = typed(capsys, "score", path, *(word for file in files for word in ("-o", file)))

    assert shown.code == 0
    for file, form in zip(files, ("text", "json", "markdown", "csv"), strict=True):
        printed = typed(capsys, "score", path, "--format", form).out
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


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.txt", "text"), ("a.JSON", "json"), ("a.b.md", "markdown"), ("a.csv", "csv"), ("a.html", "html")],
)
def test_the_suffix_tells_the_format(name: str, form: str) -> None:
    assert output.form_of(Path(name), REPORT_RENDERERS) == form


@pytest.mark.parametrize("name", ["a.pdf", "a", ".csv"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UserError, match=r"use one of \.txt, \.json, \.md, \.csv"):
        output.form_of(Path(name), REPORT_RENDERERS)


def test_a_file_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        output.write(written(tmp_path, "", "file") / "below.txt", "text")


class Closed(io.StringIO):
    """A stream whose reader is gone."""

    @override
    def write(self, _: str) -> int:
        raise BrokenPipeError


def test_a_closed_pipe_is_told_apart_from_other_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Closed())

    with pytest.raises(output.ReaderGone):
        output.show("text\n")


def test_what_the_output_cannot_hold_is_spelt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252", newline=""))

    output.show("é ≥ $1\n")

    assert raw.getvalue() == b"\xe9 \\u2265 $1\n"


def test_a_note_keeps_its_line_breaks_and_spells_out_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    output.note("first\n\nsecond \x1b[31m")

    assert capsys.readouterr().err == "first\n\nsecond \\x1b[31m\n"


def test_colour_is_for_a_terminal_and_never_for_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, TEXT)
    plain = typed(capsys, "score", path).out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)

    shown = typed(capsys, "score", path, "-o", tmp_path / "report.txt")

    assert "\x1b[" in shown.out
    assert (tmp_path / "report.txt").read_bytes().decode() == plain


def test_an_address_is_shown_as_one_would_type_it_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert output.address_here(str(tmp_path / "runs" / "one")) == "runs/one"
    assert output.address_here("s3://bucket/runs/one") == "s3://bucket/runs/one"
    assert output.address_here("/elsewhere/one") == "/elsewhere/one"
