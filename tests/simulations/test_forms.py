"""Every form of the gate keeps its two promises, at a small size."""

import numpy as np
import pytest

from perf.simulations.forms import FORMS, form_row
from perf.simulations.populations import U_SHAPED
from perf.simulations.study import number

RUNS = 40
ALLOWED = 0.05 + 3 * np.sqrt(0.05 * 0.95 / RUNS)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_hardly_ever_fails_without_a_change_or_passes_at_the_margin(form: str) -> None:
    row = form_row(form, U_SHAPED, cases=30, n=3, runs=RUNS, rng=np.random.default_rng(5))

    assert number(row, "alarms") <= ALLOWED
    assert number(row, "passes") <= ALLOWED


def test_forms_see_a_drop_of_the_margin_where_there_are_samples() -> None:
    row = form_row("one-shot", U_SHAPED, cases=164, n=10, runs=20, rng=np.random.default_rng(6))

    assert number(row, "power") >= 0.6
