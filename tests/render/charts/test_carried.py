from dataclasses import replace

from steelyard.model.gate import CarryingCase, GateReport
from steelyard.render.charts.carried import carried_by
from steelyard.render.charts.names import PageLinks
from tests.analysis.comparisons import ref
from tests.analysis.gates import one_broken_case


def carried() -> GateReport:
    whole = one_broken_case()
    case = CarryingCase(
        case=ref("lru cache"),
        baseline_passed=5,
        baseline_samples=5,
        current_passed=1,
        current_samples=5,
        stands_out=True,
    )
    return replace(whole, subjects=(replace(whole.subjects[0], carried_by=(case,)),))


def test_a_case_shows_its_passes_before_and_now_and_whether_noise_explains_them() -> None:
    drawn = str(carried_by(carried()))

    assert all(words in drawn for words in ("lru cache", "5 of 5", "1 of 5", "beyond noise"))
    assert "<a " not in drawn


def test_a_case_leads_to_its_answers_on_the_page_of_the_comparison() -> None:
    drawn = str(carried_by(carried(), PageLinks(comparison="comparison.html")))

    assert (
        'href="comparison.html#case=lru%20cache&amp;suite=basics&amp;model=acme%2Flarge&amp;tier=T0"' in drawn
    )


def test_a_verdict_that_rests_on_no_case_draws_none() -> None:
    assert carried_by(one_broken_case()) is None
