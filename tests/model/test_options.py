"""The choices a report is made with."""

import pytest

import steelyard
from steelyard.errors import DomainError
from steelyard.model.options import AlsoAtK, ColumnMapping, Errors, Missing, ReportOptions, StatisticsLimit


def test_policies_are_taken_by_name_as_a_notebook_gives_them() -> None:
    options = ReportOptions(missing="skip", errors="fail")  # type: ignore[arg-type]

    assert (options.missing, options.errors) == (Missing.SKIP, Errors.FAIL)
    assert options.missing is Missing.SKIP


def test_an_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match=r"missing.*error"):
        ReportOptions(missing="ignore")  # type: ignore[arg-type]


def test_the_old_name_of_the_default_grade_scale_is_still_taken() -> None:
    with pytest.warns(DeprecationWarning, match=r"'seed'.*'letters-95'"):
        options = ReportOptions(grade_scale="seed")

    assert options == ReportOptions()


@pytest.mark.parametrize(
    ("old", "kind"),
    [("Naming", ColumnMapping), ("SpreadLimit", StatisticsLimit)],
    ids=["Naming", "SpreadLimit"],
)
def test_old_public_names_still_lead_to_the_new_ones(old: str, kind: type) -> None:
    with pytest.warns(DeprecationWarning, match=f"steelyard.{kind.__name__}"):
        assert getattr(steelyard, old) is kind


def test_figures_are_named_by_their_texts_and_each_counts_once() -> None:
    assert ReportOptions(also_at_k=("g-pass", "g-pass")).also_at_k == (AlsoAtK.G_PASS,)


def test_an_unknown_figure_is_refused_with_those_there_are() -> None:
    with pytest.raises(DomainError, match=r"also_at_k=g`.*figure"):
        ReportOptions(also_at_k=("g",))


def test_a_single_k_is_refused_with_the_form_that_is_right() -> None:
    with pytest.raises(DomainError, match=r"pass_k.*pass_k=\(2,\)"):
        ReportOptions(pass_k=2)  # type: ignore[arg-type]
