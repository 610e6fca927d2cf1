"""The page for users of other tools speaks our words, and names commands that exist."""

import pytest

from tests.docs.option_tables import command_names, option_names
from tests.docs.pages import DOCS, Page

PAGE = Page(DOCS / "how-to" / "coming-from-other-tools.md")
GLOSSARY = Page(DOCS / "reference" / "glossary.md")
TOOLS = ("Inspect", "promptfoo", "EvalPlus", "lm-evaluation-harness")
WORDS = {
    word.strip().lower()
    for line in GLOSSARY.lines
    if line.startswith("**") and line.endswith("**")
    for word in line.strip("*").split(",")
}


def is_known(word: str) -> bool:
    """Whether a word stands in the glossary or, as code, is a command with an option of it."""
    if not word.startswith("`"):
        return word.lower() in WORDS
    command, *options = word.strip("`").split()
    return command in command_names() and set(options) <= option_names(command)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_word_of_ours_is_in_the_glossary_or_a_command(tool: str) -> None:
    rows = PAGE.table(tool)

    assert len(rows) >= 8
    assert not [row[1] for row in rows if not is_known(row[1])]
