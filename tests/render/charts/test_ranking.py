"""Subjects in order, by what they are ranked by."""

from dataclasses import replace

from steelyard.model.estimate import Estimate
from steelyard.model.report import Report
from steelyard.render.charts.front import front
from steelyard.render.charts.ranking import ranking
from steelyard.render.charts.subjects import ranked_subjects
from tests.analysis.reports import report, subject

COMPLIES, REFUSES = (
    replace(subject(model), pass_rate=Estimate.of(rate), expectation_met=Estimate.of(met))
    for model, rate, met in (("complies", 0.9, 0.25), ("refuses", 0.5, 0.75))
)
PASSES = report(COMPLIES, REFUSES)
RIGHT = replace(PASSES, expects_refusal=(("s", "bomb"),))


def drawn(whole: Report) -> list[str]:
    return [one.subject.model for one in ranked_subjects(whole)]


def test_subjects_are_drawn_in_the_order_of_their_ranks() -> None:
    assert (drawn(PASSES), drawn(RIGHT)) == (["complies", "refuses"], ["refuses", "complies"])
    assert [one.rate.value for one in ranked_subjects(RIGHT)] == [0.75, 0.25]


def test_pictures_say_by_what() -> None:
    for picture in (ranking, front):
        plain, right = str(picture(PASSES)), str(picture(RIGHT))
        assert "pass rate" in plain
        assert "as expected" not in plain
        assert "as expected" in right
        assert "pass rate" not in right
