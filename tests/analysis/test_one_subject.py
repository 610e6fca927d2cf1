"""One subject of a report, by its name."""

from dataclasses import replace

import pytest

from steelyard.analysis.one_subject import one_subject
from steelyard.errors import UserError
from steelyard.model.trust import SubjectIntegrity
from tests.analysis.runs import report_of

REPORT = report_of({("a", "T0"): [(5, 5)] * 2, ("a", "T1"): [(5, 4)] * 2, ("b", "T0"): [(5, 3), (5, 2)]})


@pytest.mark.parametrize(("name", "cases"), [("b", 2), ("b@T0", 2), ("a@T1", 2), ("T1", 2)])
def test_a_subject_is_found_by_its_model_its_tier_or_both(name: str, cases: int) -> None:
    found = one_subject(REPORT, name, where="here")

    assert len(found.subjects) == 1
    assert len(found.cases) == cases
    assert {case.model for case in found.cases} == {name[0] if name != "T1" else "a"}


@pytest.mark.parametrize(
    ("name", "why"), [("c", "no subject is"), ("a", "several subjects are"), ("T0", "several subjects are")]
)
def test_another_name_or_several_tiers_are_refused_with_the_names_there_are(name: str, why: str) -> None:
    with pytest.raises(UserError, match=rf"here: {why} called '{name}'; there are a@T0, a@T1, b@T0"):
        one_subject(REPORT, name, where="here")


def test_the_cases_and_the_integrity_are_those_of_its_tier_alone() -> None:
    parts = [
        SubjectIntegrity(model=one.model, tier=one.tier, sealed=1, partial=0, open=0, unknown=0)
        for one in REPORT.subjects
    ]

    found = one_subject(replace(REPORT, integrity=tuple(parts)), "a@T1", where="here")

    assert [(one.model, one.tier) for one in found.subjects] == [("a", "T1")]
    assert [(one.model, one.tier, one.n, one.c) for one in found.cases] == [("a", "T1", 5, 4)] * 2
    assert [(one.model, one.tier) for one in found.integrity] == [("a", "T1")]
