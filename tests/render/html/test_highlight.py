"""Colours of code: found in bounded time, and no character is lost."""

from time import thread_time

import pytest

from steelyard.render.html import highlight
from steelyard.render.html.code import code_block
from steelyard.render.html.highlight import highlighted

PROSE = "I need to think about how the function should behave when the input is empty. "
LARGEST = 59_000
LANGUAGES = ("markdown", "python", "rust", "terraform", "c", "cpp", "javascript", "typescript", "java", "go")
SLOW = [
    ("markdown", "```\n" + "\n" * 10_000),
    ("markdown", "```\n" + "\n" * 20_000),
    ("markdown", "```c\n" + "\n" * 20_000),
    ("markdown", "```\n" + "\n" * LARGEST),
    ("markdown", "```a\n" * (LARGEST // 5)),
    ("c", "int f();" + "\n" * 20_000),
    ("c", "\n" * LARGEST),
    ("cpp", "\n" * LARGEST),
    ("java", "\n" * LARGEST),
    ("hcl", "\n" * LARGEST),
    ("hcl", "a" * LARGEST),
    ("java", "a " * (LARGEST // 2)),
    ("java", (PROSE * LARGEST)[:20_000]),
    ("csharp", "a\n" * (LARGEST // 2)),
]


def joined(text: str, language: str) -> str:
    return "".join(word for word, _ in highlighted(text, language))


@pytest.mark.parametrize(("language", "text"), SLOW)
def test_a_text_that_makes_a_lexer_slow_is_shown_within_two_seconds(language: str, text: str) -> None:
    start = thread_time()

    code_block(text, language, label="answer")

    assert thread_time() - start < 2  # half of one for the colours; a busy machine is half as quick


def test_what_is_left_when_the_time_is_over_has_no_colours_and_is_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "x = 1\n" * 5_000
    monkeypatch.setattr(highlight, "SECONDS", -1)

    assert list(highlighted(text, "python")) == [(text, None)]


@pytest.mark.parametrize("language", [*LANGUAGES, "", "text", "no-such-language"])
@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "\ufeffx = 1\n",
        'def f():\n    """a\n    b"""\n    return "\\"" # c\n\n' * 600,
        "a" * 20_000 + "\n" + '"' * 9_001,
        "Hi.\n```python\nx = 1\n````\n```\n~~~\n```c\nint x;\n~~~\nend",
    ],
)
def test_no_character_is_lost(text: str, language: str) -> None:
    assert joined(text, language) == text


@pytest.mark.parametrize("end", ["EOT\n", ""])
def test_a_text_that_goes_on_beyond_a_piece_is_shown_once(end: str) -> None:
    """The lexer of Terraform gives a heredoc without an end twice."""
    text = 'resource "a" "b" {\n  x = <<-EOT\n' + "    a line of a script\n" * 900 + f"  {end}"

    assert "".join(word for word, _ in highlighted(text, "hcl")) == text


def test_line_ends_of_windows_are_line_ends() -> None:
    assert joined("x = 1\r\ny = 2\r", "python") == "x = 1\ny = 2\n"


def test_a_long_program_keeps_its_colours_to_the_end() -> None:
    function = 'def f():\n    """It\n    returns."""\n    return 1\n\n\n'
    text = function * (50_000 // len(function))

    words = list(highlighted(text, "python"))

    assert words.count(("def", "t-word")) == text.count("def")
    assert words.count(("1", "t-digits")) == text.count("def")


def test_a_block_of_markdown_has_the_colours_of_its_language_and_prose_has_none() -> None:
    words = list(highlighted("We return it:\n```Python title\nreturn 1\n```\nWe return it.\n", "markdown"))

    assert words.count(("return", "t-word")) == 1
    assert ("We return it:\n", None) in words
    assert ("\nWe return it.\n", None) in words


def test_a_block_of_markdown_may_hold_fences_and_need_not_end() -> None:
    text = "````python\nx = '''\n```\nreturn\n```\n'''\n````\nreturn\n```python\nreturn 2"
    words = list(highlighted(text, "markdown"))

    assert ("\nreturn\n", None) in words
    assert words.count(("return", "t-word")) == 1


@pytest.mark.parametrize("name", ["a", "brainfuck", "x" * 1_000, "../../etc", "text"])
def test_an_answer_chooses_among_few_languages(name: str) -> None:
    code = "\nreturn 1\n"

    assert (code, None) in list(highlighted(f"```{name}{code}```", "markdown"))
