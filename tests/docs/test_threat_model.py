"""The page on threats names tests that exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/explanation/threat-model.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_is_there() -> None:
    named = re.findall(r"`(tests/[\w/*.-]+)`", PAGE)

    assert len(named) >= 15
    assert [path for path in named if not list(ROOT.glob(path))] == []
