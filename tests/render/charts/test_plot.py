import re
from itertools import pairwise

import pytest

from steelyard.render.charts.curves import LABEL_OFFSET
from steelyard.render.charts.plot import HEIGHT, SPACING, numbered, vertical_shifts
from steelyard.render.charts.subjects import ranked_subjects
from tests.analysis.reports import report, subject


@pytest.mark.parametrize("ends", [[0.0] * 8, [1.0] * 8, [0.01 * place for place in range(8)]])
def test_the_numbers_of_eight_curves_that_end_together_never_cover_each_other(ends: list[float]) -> None:
    moved = vertical_shifts([(1.0, y) for y in ends])

    places = sorted(HEIGHT * y + shift for y, shift in zip(ends, moved, strict=True))
    assert all(high - low >= SPACING - 1 for low, high in pairwise(places))
    assert places[0] >= -1
    assert places[-1] <= HEIGHT + 1


def test_a_line_leads_from_a_number_that_was_moved_to_where_it_belongs() -> None:
    [one] = ranked_subjects(report(subject()))

    drawn = numbered(one, (1.0, 0.25), title="", shift=(LABEL_OFFSET, -15.0))

    assert 'x="100%" y="25%"' in drawn
    assert f'<line x1="0" y1="0" x2="{LABEL_OFFSET}" y2="-15" class="leader">' in drawn
    assert re.search(rf'<text x="{LABEL_OFFSET}" y="-15"[^>]*>1<', drawn)


def test_a_number_that_stays_needs_no_line() -> None:
    [one] = ranked_subjects(report(subject()))

    assert "leader" not in numbered(one, (0.5, 0.5), title="")
