"""The page of benchmarks is what `verify` wrote: known names, and a reason for every reference that fails."""

import re

import pytest

import steelyard
from steelyard.render.verification import HEAD, SECTION
from tests.docs.pages import DOCS

TEXT = (DOCS / "reference" / "benchmarks.md").read_text(encoding="utf-8")
SECTIONS = SECTION.findall(TEXT)


def test_the_page_begins_as_verify_begins_it() -> None:
    assert TEXT.startswith(HEAD)
    assert len(SECTIONS) > 10


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_a_section_is_about_a_benchmark_and_explains_each_failure(section: str) -> None:
    about = steelyard.find_benchmark(section.splitlines()[0].removeprefix("## "))

    failing = re.findall(r"(?m)^\| `([^`]+)` \| (.+) \|$", section)

    passing, references = re.findall(r"(\d+) of (\d+) references pass", section)[0]
    assert int(references) - int(passing) == len(failing)
    assert [reason for case, reason in failing] == [about.failing_references[case] for case, _ in failing]
