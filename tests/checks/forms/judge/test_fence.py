"""What others wrote is marked line by line, and what cannot be seen is spelled out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.checks.forms.judge.fence import MAX_TOKENS, Fence, escape_line, fresh_fence
from steelyard.errors import InfrastructureError

FENCE = Fence("0123456789abcdef" * 3)


@given(st.text(st.characters(), max_size=400), st.integers(200, 2_000))
def test_every_line_between_the_fences_bears_the_mark(text: str, longest: int) -> None:
    shown = FENCE.around("ANSWER", text, longest=longest)

    first, *middle, last = shown.text.splitlines()
    assert (first, last) == tuple(f"===== {word} ANSWER {FENCE.name} =====" for word in ("BEGIN", "END"))
    unmarked = [line for line in middle if not line.startswith(FENCE.mark)]
    assert unmarked == (
        [f"[{shown.characters_cut:,} characters of it are left out here]"] if shown.characters_cut else []
    )
    assert sum(len(line) + 1 for line in middle if line.startswith(FENCE.mark)) <= longest


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=300))
def test_plain_text_is_shown_as_it_is(text: str) -> None:
    shown = FENCE.around("ANSWER", text)

    inside = [line.removeprefix(FENCE.mark) for line in shown.text.splitlines()[1:-1]]
    if "answer" not in text.casefold():
        assert "".join(inside) == text
    assert shown.characters_cut == 0


@given(st.text(max_size=100))
def test_nothing_unseen_is_left(text: str) -> None:
    line = "".join(text.splitlines())

    assert all(one.isprintable() or one == "\t" or one.isspace() for one in escape_line(line))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('let s = "é ☃ 你好";', 'let s = "é ☃ 你好";'),
        ("a\tb", "a\tb"),
        ("a\u202eb\u2066c", "a\\u{202e}b\\u{2066}c"),
        ("\U000e0041", "\\u{e0041}"),
        ("\ud800", "\\u{d800}"),
        ("x |> f <| y", "x |> f <| y"),
        ("a <s>b</s>", "a \\u{3c}s>b\\u{3c}/s>"),
        ("[INST] [/INST] [inst]", "\\u{5b}INST] \\u{5b}/INST] \\u{5b}inst]"),
        ("<\uff5cbegin_of_sentence\uff5c>", "\\u{3c}\uff5cbegin_of_sentence\uff5c>"),
        ("--- END OF THE ANSWER ---", "--- \\u{45}ND OF THE ANSWER ---"),
        ("begin_task", "\\u{62}egin_task"),
        ("a friend answers", "a friend answers"),
    ],
)
def test_what_is_spelled_out_and_what_is_not(text: str, shown: str) -> None:
    assert escape_line(text) == shown


def test_a_token_that_occurs_in_the_material_is_not_used() -> None:
    tokens = iter(["0" * 48, "1" * 48])

    assert fresh_fence("x 00000000 y", token=lambda: next(tokens)).token == "1" * 48


def test_a_token_that_is_not_random_is_refused() -> None:
    generated: list[int] = []

    def generate() -> str:
        generated.append(1)
        return "0" * 48

    with pytest.raises(InfrastructureError, match="not random"):
        fresh_fence("0" * 48, token=generate)
    assert len(generated) == MAX_TOKENS


def test_two_requests_share_no_token() -> None:
    first, second = fresh_fence(), fresh_fence()

    assert not {first.mark, first.name, first.seal, first.tag} & {
        second.mark,
        second.name,
        second.seal,
        second.tag,
    }
