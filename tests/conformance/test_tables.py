"""The table of renderers: formats for every kind of result, chosen by name or by suffix."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from steelyard import plugins
from steelyard.app import formats
from steelyard.app.formats import FORMAT_OF_SUFFIX, RENDERERS
from steelyard.errors import UnknownName, UserError
from steelyard.model.comparison import Comparison
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.ports import Renderable

KINDS = [Report, Comparison, GateReport]


class Upper:
    """A renderer of somebody else's: for comparisons only."""

    kinds = (Comparison,)
    is_text = True
    shows_samples = False

    def render(self, result: Renderable, *, samples: object = ()) -> str:
        return "COMPARISON\n"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that two packages have brought a format each, one of which cannot be loaded."""
    points = [
        EntryPoint(name="upper", value=f"{__name__}:Upper", group="steelyard.formats"),
        EntryPoint(name="broken", value="no.such.module:Thing", group="steelyard.formats"),
    ]
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [p for p in points if p.group == group])


@pytest.mark.parametrize("kind", KINDS)
def test_text_json_markdown_and_html_are_there_for_every_kind_of_result(kind: type[Renderable]) -> None:
    assert {"text", "json", "markdown", "html"} <= set(formats.formats_for(kind))


def test_every_format_has_a_suffix() -> None:
    assert set(FORMAT_OF_SUFFIX.values()) == set(RENDERERS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_misspelt_name_is_answered_with_the_nearest(kind: type[Renderable]) -> None:
    with pytest.raises(UnknownName, match=r"'markdwon'.*'markdown'"):
        formats.renderer("markdwon", kind)


def test_a_format_that_cannot_show_a_result_names_those_that_can() -> None:
    possible = "text, json, markdown, html, junit"
    with pytest.raises(UserError, match=f"csv cannot show a verdict; use one of {possible}$"):
        formats.renderer("csv", GateReport)


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.txt", "text"), ("a.JSON", "json"), ("a.b.md", "markdown"), ("a.csv", "csv"), ("a.html", "html")],
)
def test_the_suffix_tells_the_format(name: str, form: str) -> None:
    assert formats.format_of_file(Path(name), Report) == form


@pytest.mark.parametrize("name", ["a.pdf", "a", ".csv"])
def test_an_unknown_suffix_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UserError, match=r"use one of \.txt, \.json, \.md, \.csv, .*, \.sarif, \.parquet$"):
        formats.format_of_file(Path(name), Report)


@pytest.mark.usefixtures("installed")
def test_the_format_of_a_package_is_chosen_by_name_and_by_suffix() -> None:
    assert formats.renderer("upper", Comparison).kinds == (Comparison,)
    assert formats.format_of_file(Path("a.upper"), Comparison) == "upper"


@pytest.mark.usefixtures("installed")
def test_the_format_of_a_package_is_offered_for_its_kinds_and_a_broken_one_for_none() -> None:
    with pytest.raises(UserError, match=r"the suffix selects the format; use one of .*, \.xml, \.upper$"):
        formats.format_of_file(Path("a.pdf"), Comparison)
    with pytest.raises(UserError, match=r"a\.upper: the suffix selects the format; .*, \.parquet$"):
        formats.format_of_file(Path("a.upper"), Report)
