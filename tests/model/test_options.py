"""The choices a report is made with."""

import pytest

from steelyard.errors import DomainError
from steelyard.model.options import AlsoAtK, Errors, Missing, ReportOptions


def test_policies_are_taken_by_name_as_a_notebook_gives_them() -> None:
    options = ReportOptions(missing="skip", errors="fail")  # type: ignore[arg-type]

    assert (options.missing, options.errors) == (Missing.SKIP, Errors.FAIL)
    assert options.missing is Missing.SKIP


def test_an_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"missing.*error"):
        ReportOptions(missing="ignore")  # type: ignore[arg-type]


def test_figures_are_named_by_their_texts_and_each_counts_once() -> None:
    assert ReportOptions(also_at_k=("g-pass", "g-pass")).also_at_k == (AlsoAtK.G_PASS,)


def test_an_unknown_figure_is_refused_with_those_there_are() -> None:
    with pytest.raises(DomainError, match=r"also_at_k=g`.*figure"):
        ReportOptions(also_at_k=("g",))


def test_a_single_k_is_refused_with_the_form_that_is_right() -> None:
    with pytest.raises(DomainError, match=r"pass_k.*pass_k=\(2,\)"):
        ReportOptions(pass_k=2)  # type: ignore[arg-type]
