"""Names of adapters, and what they stand for."""

from importlib.metadata import EntryPoint

import pytest

from steelyard import plugins
from steelyard.app.formats import RENDERERS
from steelyard.errors import UnknownName, UserError
from steelyard.render.text import TextRenderer

TABLE = {"text": "steelyard.render.text:TextRenderer"}


def installed(monkeypatch: pytest.MonkeyPatch, **points: str) -> None:
    """Pretend that a package has brought entry points."""
    found = [EntryPoint(name=name, value=value, group="steelyard.formats") for name, value in points.items()]
    monkeypatch.setattr(plugins, "entry_points", lambda *, group: [p for p in found if p.group == group])


def test_a_name_is_loaded_from_where_the_table_says() -> None:
    assert plugins.load(TABLE, "text", group="formats") is TextRenderer


@pytest.mark.parametrize(
    ("table", "group"),
    [
        (RENDERERS, "formats"),
        (plugins.VALIDATORS, "validators"),
    ],
)
def test_everything_in_the_tables_can_be_loaded(table: dict[str, str], group: str) -> None:
    assert all(plugins.load(table, name, group=group) for name in table)


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"'txt'.*'text'"):
        plugins.load(TABLE, "txt", group="formats")


def test_a_name_like_no_other_is_answered_with_all_of_them() -> None:
    names = "csv, html, json, junit, latex, markdown, parquet, sarif, text"
    with pytest.raises(UnknownName, match=rf"unknown format 'zzz'; choose from {names}"):
        plugins.load(RENDERERS, "zzz", group="formats")


def test_a_name_in_an_empty_table_is_answered_with_nothing() -> None:
    with pytest.raises(UnknownName, match="choose from none"):
        plugins.load({}, "terraform", group="validators")


def test_an_installed_package_adds_names(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, mine="collections:Counter")

    assert plugins.known(TABLE, group="formats") == {"mine": "collections:Counter", **TABLE}
    assert plugins.known(TABLE, group="validators") == TABLE
    assert plugins.load(TABLE, "mine", group="formats").__name__ == "Counter"  # type: ignore[attr-defined]  # an object until it is cast


def test_an_installed_package_cannot_take_a_name_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, text="collections:Counter")

    assert plugins.load(TABLE, "text", group="formats") is TextRenderer


@pytest.mark.parametrize("value", ["no.such.module:Thing", "collections:Thing"])
def test_a_package_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    installed(monkeypatch, mine=value)

    with pytest.raises(UserError, match=f"the format 'mine' cannot be loaded from '{value}'"):
        plugins.load(TABLE, "mine", group="formats")
