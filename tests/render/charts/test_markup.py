"""Text and attributes are escaped; only what a form sends back stays as it is."""

import pytest

from steelyard.render.charts.markup import tag

NAMES = ("a\u00a0b", "we\u3000ak", "dev \U0001f469\u200d\U0001f4bb")


@pytest.mark.parametrize("name", NAMES)
def test_the_value_of_a_form_is_sent_back_as_it_is(name: str) -> None:
    assert f'value="{name}"' in tag("option", "x", value=name)


@pytest.mark.parametrize("name", NAMES)
def test_invisible_characters_are_spelt_out_where_people_read_them(name: str) -> None:
    shown = tag("option", name, title=name, aria_label=name)

    assert name not in shown
    assert shown.count("\\") == 3


def test_a_value_cannot_leave_its_attribute() -> None:
    assert tag("input", value='"><b>\ud800') == '<input value="&quot;&gt;&lt;b&gt;\\ud800">'
