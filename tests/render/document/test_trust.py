"""The sentences about the trust of a grade, in every document and format."""

import json
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest

from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.trust import HoneypotSummary, SubjectIntegrity
from steelyard.model.verdict import Ground
from steelyard.render.document.comparison import comparison_document
from steelyard.render.document.gate import gate_document
from steelyard.render.document.trust import honeypots_section, integrity_section
from steelyard.render.html.payload import payload
from steelyard.render.json import JsonRenderer
from steelyard.render.junit import JunitRenderer
from steelyard.render.sarif import SarifRenderer
from tests.analysis.comparisons import comparison
from tests.analysis.gates import gate, judged
from tests.analysis.reports import case, report, subject
from tests.render.document.reading import said
from tests.render.html.test_report import unpacked
from tests.render.test_junit import SCHEMA

MIXED = SubjectIntegrity(model="acme/large", tier="T0", sealed=430, partial=50, open=18, unknown=2)
ALL_SEALED = replace(MIXED, sealed=480, partial=0, open=0, unknown=0)
TRAPPED = HoneypotSummary(
    model="acme/large", tier="T0", cases=2, samples=10, passed=3, passed_cases=("trap", "snare")
)
TRUSTED = replace(report(subject(), cases=[case("it")]), integrity=(MIXED,), honeypots=(TRAPPED,))


def test_integrity_is_one_line() -> None:
    [line] = said(integrity_section(TRUSTED))

    assert line == (
        "integrity: 430 of 500 samples sealed, 50 partial,"
        " 18 open (a hostile answer could forge these results), 2 unknown"
    )
    assert said(integrity_section(replace(TRUSTED, integrity=(ALL_SEALED,)))) == [
        "integrity: 480 of 480 samples sealed"
    ]


def test_several_subjects_have_a_sentence_each() -> None:
    two = replace(
        report(subject("a"), subject("b")),
        integrity=(replace(ALL_SEALED, model="a"), replace(MIXED, model="b")),
    )

    assert [line.partition(":")[0] for line in said(integrity_section(two))] == [
        "integrity of a",
        "integrity of b",
    ]


def test_nothing_is_said_where_nothing_is_known() -> None:
    plain = report(subject())

    assert (said(integrity_section(plain)), said(honeypots_section(plain))) == ([], [])
    assert not {"integrity", "honeypots"} & json.loads(JsonRenderer().render(plain)).keys()


def test_passed_honeypots_are_named() -> None:
    assert said(honeypots_section(TRUSTED)) == [
        "honeypots: 10 samples, 3 passed, which no honest answer does: trap and snare"
    ]
    honest = replace(TRAPPED, passed=0, passed_cases=())
    assert said(honeypots_section(replace(TRUSTED, honeypots=(honest,)))) == [
        "honeypots: 10 samples, 0 passed"
    ]


def test_both_sides_of_a_comparison_and_of_a_gate_are_told() -> None:
    before, after = (ALL_SEALED,), (MIXED, replace(MIXED, model="b"))
    judgement = gate(judged(Ground.WITHIN_MARGIN))

    for document in (
        comparison_document(replace(comparison(), baseline_integrity=before, current_integrity=after)),
        gate_document(replace(judgement, baseline_integrity=before, current_integrity=after)),
    ):
        first, second, third = said(document.sections["integrity"])
        assert first == "integrity of the baseline: 480 of 480 samples sealed"
        assert second.startswith("integrity of the current report, acme/large in T0: 430 of 500 samples")
        assert third.startswith("integrity of the current report, b in T0: ")


def test_two_sealed_reports_need_one_line() -> None:
    both = (ALL_SEALED, replace(ALL_SEALED, model="b"))

    found = comparison_document(replace(comparison(), baseline_integrity=both, current_integrity=both))

    assert said(found.sections["integrity"]) == ["integrity: all 1,920 samples of both reports sealed"]


def test_junit_has_the_counts_as_properties_and_a_passed_honeypot_as_a_failure() -> None:
    text = JunitRenderer().render(TRUSTED)

    SCHEMA.validate(text)
    root = fromstring(text)  # noqa: S314 - our own
    properties = {one.attrib["name"]: one.attrib["value"] for one in root.iter("property")}
    assert properties == {
        "integrity sealed: acme/large (T0)": "430",
        "integrity partial: acme/large (T0)": "50",
        "integrity open: acme/large (T0)": "18",
        "integrity unknown: acme/large (T0)": "2",
    }
    failed = [test.attrib["name"] for test in root.iter("testcase") if test.find("failure") is not None]
    assert failed[-2:] == ["trap", "snare"]


def test_a_set_whose_honeypots_were_never_passed_has_a_test_that_says_so() -> None:
    honest = replace(TRAPPED, passed=0, passed_cases=())

    assert "no honeypot was passed" in JunitRenderer().render(replace(TRUSTED, honeypots=(honest,)))


def test_sarif_finds_passed_honeypots_first() -> None:
    run = json.loads(SarifRenderer().render(TRUSTED))["runs"][0]

    assert [found["ruleId"] for found in run["results"][:2]] == ["honeypot_passed"] * 2
    assert run["properties"]["integrity"][0]["open"] == 18
    assert "honeypot_passed" in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


@pytest.mark.parametrize(("integrity", "length"), [("open", 15), (None, 14)])
def test_a_page_gets_the_integrity_of_a_sample_if_it_is_known(integrity: str | None, length: int) -> None:
    sample = SampleExcerpt(
        key=CaseKey("acme/large", "T0", "basics", "it"),
        attempt=0,
        classification="pass",
        passed=True,
        text="x",
        integrity=integrity,
    )

    [row] = unpacked(str(payload(TRUSTED, [sample]).blocks[1]), "samples-0")["0"]

    assert len(row) == length
    assert (row[-1] == "open") is (integrity is not None)


def test_a_page_gets_the_counts_of_assertions_if_they_are_known() -> None:
    sample = SampleExcerpt(
        key=CaseKey("acme/large", "T0", "basics", "it"),
        attempt=0,
        classification="pass",
        passed=True,
        integrity="partial",
        sealed_assertions=3,
        open_assertions=2,
    )

    [row] = unpacked(str(payload(TRUSTED, [sample]).blocks[1]), "samples-0")["0"]

    assert row[-1] == "partial, 3 of 5 assertions sealed"
