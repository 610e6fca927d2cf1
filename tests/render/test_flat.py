"""The numbers of a subject by name: those that are defined, with their bounds."""

import re
from dataclasses import replace

from steelyard.model.estimate import Estimate, Interval, Reason, Target
from steelyard.model.summary import CostOfPass
from steelyard.render.flat import metrics_by_name
from tests.analysis.reports import SETTINGS, subject


def interval(low: float | None, high: float | None, target: Target) -> Interval:
    return Interval(low=low, high=high, level=0.95, target=target, method="")


def test_a_number_has_its_bounds_on_other_cases() -> None:
    both = (interval(0.3, 0.7, Target.RERUN), interval(0.2, 0.8, Target.NEW_CASES))

    found = metrics_by_name(replace(subject(), score=Estimate.of(0.5, *both)), SETTINGS)

    assert (found["score"], found["score_low"], found["score_high"]) == (0.5, 0.2, 0.8)


def test_a_missing_bound_is_left_out() -> None:
    one_sided = Estimate.of(0.5, interval(0.2, None, Target.NEW_CASES))

    found = metrics_by_name(replace(subject(), score=one_sided), SETTINGS)

    assert found["score_low"] == 0.2
    assert "score_high" not in found


def test_an_undefined_number_is_left_out() -> None:
    unknown = Estimate.undefined(Reason.NOT_MEASURED)

    found = metrics_by_name(replace(subject(), score=unknown, latency_p95_s=None), SETTINGS)

    assert not [name for name in found if name.startswith(("score", "latency_p95"))]


def test_an_infinite_cost_of_pass_is_left_out_and_a_finite_one_is_not() -> None:
    infinite = replace(subject(), cost_of_pass=CostOfPass(value=None, infinite=True, lower_bound=1.0))
    finite = replace(subject(), cost_of_pass=CostOfPass(value=0.25))

    assert "cost_of_pass_usd" not in metrics_by_name(infinite, SETTINGS)
    assert metrics_by_name(finite, SETTINGS)["cost_of_pass_usd"] == 0.25


def test_names_are_small_letters_digits_and_underscores() -> None:
    found = metrics_by_name(subject(), SETTINGS)

    assert {"cases", "samples", "pass_at_1", "pass_rate"} <= set(found)
    assert all(re.fullmatch("[a-z0-9_]+", name) for name in found)


def test_tokens_that_are_not_known_are_left_out() -> None:
    unknown = metrics_by_name(replace(subject(), tokens_in=0, tokens_out=0), SETTINGS)
    known = metrics_by_name(replace(subject(), tokens_in=9, tokens_out=4), SETTINGS)

    assert not [name for name in unknown if name.startswith("tokens")]
    assert (known["tokens_in"], known["tokens_out"]) == (9, 4)
