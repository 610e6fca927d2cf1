from steelyard.model.estimate import Estimate, Reason
from steelyard.render.document.quantities import measured, quantity
from steelyard.render.numbers import UNDEFINED, share

ROWS = [Estimate.of(0.5), Estimate.undefined(Reason.NO_CASES), None]
SCORE = quantity("score", lambda row: row, share)


def test_a_column_has_a_dash_for_every_gap() -> None:
    assert SCORE.column(ROWS).cells == ("0.5000", UNDEFINED, UNDEFINED)


def test_a_gap_knows_its_reason_and_nothing_at_all_means_nobody_looked() -> None:
    reasons = [dash.gap.reason for dash in SCORE.dashes(ROWS, lambda _: ("a row",))]

    assert reasons == [Reason.NO_CASES, Reason.NOT_MEASURED]


def test_only_what_nobody_looked_for_is_left_out() -> None:
    assert measured([SCORE], ROWS) == [SCORE]
    assert measured([SCORE], ROWS[1:2]) == [SCORE]
    assert measured([SCORE], ROWS[2:]) == []
