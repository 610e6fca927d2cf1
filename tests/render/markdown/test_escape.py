import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from steelyard.render.markdown.escape import NAME_LENGTH, code, escaped
from steelyard.render.names import shortened, visible


def read(text: str) -> str:
    """Return the inside of the one paragraph that a reader makes of a text.

    GitHub links addresses with a scheme or a leading www., but not every a.b, as this reader would.
    """
    reader = MarkdownIt("gfm-like")
    assert reader.linkify is not None
    reader.linkify.set({"fuzzy_link": False})
    page = str(reader.render(f"x {text} x"))
    return page.removeprefix("<p>x ").removesuffix(" x</p>\n")


def test_an_ordinary_name_stands_between_backticks() -> None:
    assert code("acme/large_v2 (a*b)") == "`acme/large_v2 (a*b)`"


def test_an_awkward_name_is_written_in_entities() -> None:
    assert code("a\\|`b") == "<code>a&#92;&#124;&#96;b</code>"


def test_a_long_name_is_shortened_with_its_length() -> None:
    assert code("x" * 10_000) == f"`{'x' * NAME_LENGTH}… (10,000 characters)`"


@given(st.text(max_size=60))
def test_every_name_is_read_as_it_was_written(name: str) -> None:
    inside = read(code(name)).removeprefix("<code>").removesuffix("</code>").replace("<!-- -->", "")

    assert unescape(inside).strip() == shortened(visible(name), NAME_LENGTH).strip()


@given(st.text(alphabet="ab@#_*[]()<>!`|\\:/.w~$&\n ", max_size=40))
def test_prose_has_no_effect_but_its_letters(prose: str) -> None:
    inside = read(escaped(prose)).replace("<!-- -->", "")

    assert "<" not in inside
    assert not re.search(r"\bwww\.", escaped(prose))
    assert unescape(inside).split() == visible(prose).split()
