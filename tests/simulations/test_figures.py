"""The figures and tables of the explanations are what the kept data say."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from perf.simulations.__main__ import main as simulate
from perf.simulations.figure_data import condense
from perf.simulations.figure_tables import TABLES, with_tables
from perf.simulations.figures import DOCS, FIGURES, figures, main
from scripts.measured_at import DATA

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", figures())
def test_a_figure_is_what_the_kept_data_draw(name: str) -> None:
    drawn = figures()[name]

    assert drawn.encode() == (FIGURES / name).read_bytes(), "run `python -m perf.simulations.figures`"


def test_no_other_figure_lies_beside_them() -> None:
    assert {path.name for path in FIGURES.iterdir()} == set(figures())


@pytest.mark.parametrize("name", figures())
def test_a_figure_says_in_words_what_it_shows(name: str) -> None:
    root = ET.fromstring(figures()[name])  # noqa: S314  # our own text

    labels = [root.find(f"{SVG}{tag}") for tag in ("title", "desc")]

    assert all(label is not None and label.text for label in labels)
    assert root.get("aria-labelledby") == " ".join(
        str(label.get("id")) for label in labels if label is not None
    )


@pytest.mark.parametrize("name", figures())
def test_nothing_of_a_figure_lies_outside_it(name: str) -> None:
    root = ET.fromstring(figures()[name])  # noqa: S314  # our own text
    words = [(float(text.get("x", "0")), float(text.get("y", "0"))) for text in root.iter(f"{SVG}text")]

    assert words
    assert all(0 <= x <= int(root.get("width", "0")) for x, _ in words)
    assert all(0 <= y <= int(root.get("height", "0")) for _, y in words)


def test_every_table_of_a_page_is_what_the_kept_data_say() -> None:
    pages = [page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")]

    assert all(with_tables(page) == page for page in pages), "run `python -m perf.simulations.figures`"
    assert {name for name in TABLES if any(f"<!-- table of {name} -->" in page for page in pages)} == set(
        TABLES
    )


def test_results_are_condensed_to_what_the_pages_show(tmp_path: Path) -> None:
    simulate(["sequential", "--quick", "--seed", "5", "--out", str(tmp_path / "results.md")])

    condense(tmp_path / "results.json", tmp_path)

    kept = json.loads((tmp_path / "sequential.json").read_text())
    assert kept["made_by"] == "python -m perf.simulations sequential"
    assert kept["seed"] == 5
    assert [len(design["pairs"]) for design in kept["designs"]] == [5] * 3
    assert not (tmp_path / "gates.json").exists()


KEPT = ("coverage", "gates", "sequential", "ratios", "stopping", "forms", "detection")


@pytest.mark.parametrize("name", KEPT)
def test_the_kept_data_come_from_the_usual_seed(name: str) -> None:
    kept = json.loads((DATA / f"{name}.json").read_text())

    assert kept["seed"] == 20261115
    assert kept["made_by"] == f"python -m perf.simulations {name}"


def test_drawing_again_changes_nothing() -> None:
    before = {path: path.read_bytes() for path in (*FIGURES.iterdir(), *DOCS.rglob("*.md"))}

    main([])

    assert {path: path.read_bytes() for path in before} == before
