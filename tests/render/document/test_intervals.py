from dataclasses import replace

from steelyard.model.estimate import Estimate
from steelyard.model.report import AtK
from steelyard.render.document.intervals import every_k_section, targets_note
from steelyard.render.numbers import UNDEFINED
from tests.analysis.reports import SETTINGS, at_ks, bare_subject, interval, report, rerun, subject
from tests.render.document.reading import columns, said


def test_every_k_has_its_intervals_in_a_table_of_its_own() -> None:
    section = every_k_section(report(subject()))

    assert section.is_detail
    assert columns(section) == {
        "figure": ["pass@1", "pass@5", "pass^5"],
        "value": ["0.7700", "0.9997", "0.2500"],
        "value, 95 % new cases": ["0.61–0.93", "0.80–1.00", UNDEFINED],  # noqa: RUF001  # as shown
        "value, re-run": ["0.738–0.802", UNDEFINED, UNDEFINED],  # noqa: RUF001  # as shown
    }
    assert said(section) == ["re-run: unknown (a dash) for pass@k with fewer than 2k samples of a case"]


def test_no_dash_needs_no_word() -> None:
    both = Estimate.of(0.5, interval(0.1, 0.9), rerun(0.4, 0.6))
    whole = replace(subject(), pass_at_k=(AtK(k=1, estimate=both), AtK(k=5, estimate=both)), pass_hat_k=())

    assert said(every_k_section(report(whole))) == []


def test_a_single_k_is_in_the_first_table_already() -> None:
    whole = report(subject(), settings=replace(SETTINGS, pass_k=(1,)))

    assert every_k_section(whole).is_empty


def test_without_intervals_there_is_no_table_and_no_word() -> None:
    without = replace(bare_subject(), pass_hat_k=at_ks(0.7, 0.2))

    assert every_k_section(report(without)).is_empty
    assert targets_note(report(without)) == ()
