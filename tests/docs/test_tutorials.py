"""A tutorial or how-to page says what its commands need, and the models that it names can be asked."""

import re

import pytest

from steelyard.app.forecast import forecast_run
from tests.docs.execution import commands_of
from tests.docs.pages import DOCS, Page, all_pages
from tests.repo.package import REPOSITORY

FOLDER = "`examples` folder"
EXAMPLES = REPOSITORY / "examples"
REAL_MODELS = re.compile(r"`--models (?P<models>\S+)(?: --judges (?P<judges>\S+))?[^`]*`")
WALKED = [page for page in all_pages() if page.path.parent in {DOCS / "tutorial", DOCS / "how-to"}]


def files_of_examples(page: Page) -> set[str]:
    """Return which files of the examples the commands of a page name."""
    words = {
        word
        for block in page.blocks
        if block.language == "console"
        for command in commands_of(block)
        for word in command.text.split()
    }
    relative = {word for word in words if "/" in word and not word.startswith(("/", "."))}
    return {word for word in relative if (EXAMPLES / word).exists()}


@pytest.mark.parametrize("page", WALKED, ids=lambda page: page.path.stem)
def test_a_page_whose_commands_need_the_examples_says_so_before_the_first_one(page: Page) -> None:
    if files_of_examples(page):
        assert FOLDER in page.text.partition("```console")[0]


def test_the_real_models_of_the_tutorial_on_tiers_can_be_asked() -> None:
    page = Page(DOCS / "tutorial" / "compare-prompts.md")
    found = REAL_MODELS.search(" ".join(page.text.split()))
    assert found is not None

    planned = forecast_run(
        EXAMPLES / "tiers" / "which-tier" / "set.toml",
        models=found["models"].split(","),
        judges=found["judges"].split(",") if found["judges"] else (),
    )

    assert planned.judges
    assert not planned.unknown_providers
