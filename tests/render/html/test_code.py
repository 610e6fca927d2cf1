"""The output of a check leads to the line that it names."""

import pytest

from steelyard.render.html.code import with_line_links


@pytest.mark.parametrize(
    ("said", "link"),
    [
        ("AssertionError [line 3: assert f(1) == 2]", "#T3"),
        ('File "answer.py", line 3', "#L3"),
        ("invalid syntax (answer.py, line 3)", "#L3"),
        ("AssertionError [line 5: assert f(1) == 2]", None),
        ("answer.py, line 9", None),
        ("line 0", None),
    ],
)
def test_with_tests_a_line_is_one_of_the_tests_unless_the_answer_is_named(
    said: str, link: str | None
) -> None:
    shown = with_line_links(said, answer=8, tests=4)

    assert ("href" in shown) is (link is not None)
    assert link is None or f'href="{link}"' in shown


def test_without_tests_a_line_is_one_of_the_answer() -> None:
    assert 'href="#L2"' in with_line_links("Expecting value: line 2 column 1", answer=3)


def test_what_is_linked_is_text() -> None:
    assert "<b>" not in with_line_links("<b>line 1</b>", answer=1)
