"""A choice may be given as text; a text that is none of them is refused, and never taken for one."""

import pytest

from steelyard.errors import UserError
from steelyard.model.members import member
from steelyard.model.outcome import Isolation


def test_a_member_and_its_text_are_the_same() -> None:
    found = [member(Isolation, given, option="o") for given in (Isolation.APART, "apart")]

    assert found == [Isolation.APART, Isolation.APART]


@pytest.mark.parametrize("text", ["APART", "aparts", ""])
def test_another_text_is_refused_with_the_choices(text: str) -> None:
    with pytest.raises(UserError, match=f"`require_isolation={text}`: expected apart or shared"):
        member(Isolation, text, option="require_isolation")
