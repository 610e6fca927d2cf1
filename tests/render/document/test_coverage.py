from dataclasses import replace

from steelyard.model.options import Duplicates, Errors, Missing
from steelyard.model.summary import Coverage
from steelyard.render.document.coverage import coverage_section
from tests.analysis.reports import SETTINGS, bare_subject, report, subject
from tests.render.document.reading import said

PATCHY = Coverage(expected=1_200, seen=1_150, missing=50, unknown=1, duplicate=3, errored=2)


def test_complete_coverage_is_said_too() -> None:
    assert said(coverage_section(report(bare_subject()))) == [
        "coverage: 12 of 12 cases seen; 0 missing, 0 unknown, 0 duplicate, 0 errored"
    ]


def test_subjects_with_equal_coverage_share_a_line() -> None:
    patchy = replace(bare_subject("c"), coverage=PATCHY)

    alike = said(coverage_section(report(bare_subject("a"), bare_subject("b"))))
    mixed = said(coverage_section(report(bare_subject("a"), bare_subject("b"), patchy)))

    assert [line.partition(":")[0] for line in alike] == ["coverage of all 2 models"]
    assert [line.partition(":")[0] for line in mixed] == ["coverage of a and b", "coverage of c"]


def test_what_the_default_policies_did_is_said_where_they_did_it() -> None:
    [line] = said(coverage_section(report(replace(subject(), coverage=PATCHY))))

    assert line == (
        "coverage: 1,150 of 1,200 cases seen; 50 missing (counted as failures), 1 unknown (left out),"
        " 3 duplicate (dropped), 2 errored (left out)"
    )


def test_what_other_policies_did_is_said_as_well() -> None:
    settings = replace(SETTINGS, missing=Missing.SKIP, errors=Errors.FAIL, duplicates=Duplicates.LAST)

    [line] = said(coverage_section(report(replace(subject(), coverage=PATCHY), settings=settings)))

    assert line.endswith(
        "50 missing (left out of the means), 1 unknown (left out), 3 duplicate (the last counts),"
        " 2 errored (counted as failures)"
    )


def test_missing_and_unknown_cases_are_named_as_far_as_they_are_known() -> None:
    names = tuple(f"case-{number}" for number in range(20))
    coverage = replace(PATCHY, missing_cases=names, unknown_cases=("typo",))

    [_, missing, unknown] = said(coverage_section(report(replace(subject(), coverage=coverage))))

    assert missing.startswith("missing cases: case-0, case-1,")
    assert missing.endswith("case-8, case-9 and 40 more")
    assert unknown == "unknown cases: typo"
