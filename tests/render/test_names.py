import pytest

from steelyard.errors import InputError
from steelyard.render.names import encodable, has_several, shortened, visible


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("acme/large", "acme/large"),
        ("模型 ü 🦀", "模型 ü 🦀"),
        ("two\nlines", r"two\nlines"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\u202eevil", r"\u202eevil"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("half \udc80", r"half \udc80"),
        ("\x9b31m", r"\x9b31m"),
        ("", '""'),
    ],
)
def test_what_would_not_show_is_spelt_out(name: str, shown: str) -> None:
    assert visible(name) == shown


def test_a_name_with_half_a_character_cannot_be_written() -> None:
    with pytest.raises(InputError, match=r"cannot be encoded.*fixes_\\\\udcff.*rename"):
        encodable("fixes_\udcff.csv")


def test_a_whole_name_is_left_alone() -> None:
    assert encodable("模型") == "模型"


def test_a_long_name_is_shortened_with_its_length() -> None:
    assert shortened("x" * 10_000, limit=3) == "xxx… (10,000 characters)"
    assert shortened("xxx", limit=3) == "xxx"


def test_several_means_different_ones() -> None:
    assert has_several(["T0", "T1"])
    assert not has_several(["T0", "T0"])
    assert not has_several([])
