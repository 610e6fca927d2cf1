"""The collection of attacks is large, none of them passes a sealed grade, and the docs count it."""

from collections import Counter
from pathlib import Path

from steelyard.checks.toolchains.drivers.driver import drivers
from steelyard.model.outcome import Integrity
from tests.checks.collection import NAMES, entries, table

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "trust.md"
FEWEST = 250
OPEN, PARTIAL = Integrity.OPEN, Integrity.PARTIAL


def test_there_are_many_attacks_in_every_language_and_form() -> None:
    counts = Counter((entry.language, entry.form) for entry in entries())

    assert counts.total() >= FEWEST
    assert {(NAMES[language], form) for language in drivers() for form in ("tests", "calls", "io")} <= set(
        counts
    )
    assert {("Terraform", "validation"), ("Terraform", "tests"), ("text", "judges")} <= set(counts)
    assert {("text", form) for form in ("text", "json", "html", "xml", "csv")} <= set(counts)


def test_an_attack_stands_once() -> None:
    names = Counter((entry.language, entry.form, entry.integrity, entry.name) for entry in entries())

    assert [name for name, count in names.items() if count > 1] == []


def test_no_sealed_grade_is_known_to_be_forged() -> None:
    assert {entry.integrity for entry in entries() if entry.succeeds} == {OPEN, PARTIAL}


def test_the_page_counts_what_there_is() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")
