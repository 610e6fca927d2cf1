"""The choices a report is made with."""

import pytest

from steelyard.errors import DomainError
from steelyard.model.options import ReportOptions
from steelyard.model.policy import Errors, Missing


def test_policies_are_taken_by_name_as_a_notebook_gives_them() -> None:
    options = ReportOptions(missing="skip", errors="fail")  # type: ignore[arg-type]

    assert (options.missing, options.errors) == (Missing.SKIP, Errors.FAIL)
    assert options.missing is Missing.SKIP


def test_an_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(DomainError, match="missing must be one of fail, skip, error"):
        ReportOptions(missing="ignore")  # type: ignore[arg-type]
