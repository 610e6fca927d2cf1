"""A choice may be given as text; a text that is none of them is refused, and never taken for one."""

import pytest

from steelyard.errors import UserError
from steelyard.model.members import member
from steelyard.model.outcome import Integrity


def test_a_member_and_its_text_are_the_same() -> None:
    found = [member(Integrity, given, option="o") for given in (Integrity.SEALED, "sealed")]

    assert found == [Integrity.SEALED, Integrity.SEALED]


@pytest.mark.parametrize("text", ["SEALED", "seale", ""])
def test_another_text_is_refused_with_the_choices(text: str) -> None:
    with pytest.raises(UserError, match=f"`require_integrity={text}`: expected open or partial or sealed"):
        member(Integrity, text, option="require_integrity")
