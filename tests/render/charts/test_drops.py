from dataclasses import replace

from steelyard.model.verdict import GateRule
from steelyard.render.charts.drops import plausible_drops
from tests.analysis.gates import clear_drop, noise


def test_the_margin_is_drawn_through_every_row_and_named() -> None:
    drawn = str(plausible_drops(clear_drop()))

    assert drawn.count('class="limit"') == 2  # one in the row, one in the words below
    assert "the margin: a drop of 5 points" in drawn


def test_the_axis_reaches_to_a_margin_that_no_drop_comes_near() -> None:
    wide = replace(noise(), rule=GateRule(margin=0.3))

    assert ">-30.0</text>" in str(plausible_drops(wide))
