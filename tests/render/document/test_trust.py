"""The sentences about the trust of a grade, in every document and format."""

import json
from dataclasses import replace
from xml.etree.ElementTree import fromstring

import pytest

from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.trust import HoneypotSummary, SubjectIsolation
from steelyard.model.verdict import Ground
from steelyard.render.document.comparison import comparison_document
from steelyard.render.document.gate import gate_document
from steelyard.render.document.trust import honeypots_section, isolation_section
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

MIXED = SubjectIsolation(model="acme/large", tier="T0", apart=480, shared=18, unknown=2)
ALL_APART = replace(MIXED, shared=0, unknown=0)
TRAPPED = HoneypotSummary(
    model="acme/large", tier="T0", cases=2, samples=10, passed=3, passed_cases=("trap", "snare")
)
TRUSTED = replace(report(subject(), cases=[case("it")]), isolation=(MIXED,), honeypots=(TRAPPED,))


def test_how_samples_were_graded_is_one_sentence() -> None:
    [line] = said(isolation_section(TRUSTED))

    assert line == (
        "isolation: 480 of 500 samples graded apart, 18 shared (a hostile answer could forge these),"
        " 2 unknown"
    )
    assert said(isolation_section(replace(TRUSTED, isolation=(ALL_APART,)))) == [
        "isolation: 480 of 480 samples graded apart"
    ]


def test_several_subjects_have_a_sentence_each() -> None:
    two = replace(
        report(subject("a"), subject("b")),
        isolation=(replace(ALL_APART, model="a"), replace(MIXED, model="b")),
    )

    assert [line.partition(":")[0] for line in said(isolation_section(two))] == [
        "isolation of a",
        "isolation of b",
    ]


def test_nothing_is_said_where_nothing_is_known() -> None:
    plain = report(subject())

    assert (said(isolation_section(plain)), said(honeypots_section(plain))) == ([], [])
    assert not {"isolation", "honeypots"} & json.loads(JsonRenderer().render(plain)).keys()


def test_passed_honeypots_are_named() -> None:
    assert said(honeypots_section(TRUSTED)) == [
        "honeypots: 10 samples, 3 passed, which no honest answer does: trap and snare"
    ]
    honest = replace(TRAPPED, passed=0, passed_cases=())
    assert said(honeypots_section(replace(TRUSTED, honeypots=(honest,)))) == [
        "honeypots: 10 samples, 0 passed"
    ]


def test_both_sides_of_a_comparison_and_of_a_gate_are_told() -> None:
    before, after = (ALL_APART,), (MIXED, replace(MIXED, model="b"))
    judgement = gate(judged(Ground.WITHIN_MARGIN))

    for document in (
        comparison_document(replace(comparison(), baseline_isolation=before, current_isolation=after)),
        gate_document(replace(judgement, baseline_isolation=before, current_isolation=after)),
    ):
        first, second, third = said(document.sections["isolation"])
        assert first == "isolation of the baseline: 480 of 480 samples graded apart"
        assert second.startswith("isolation of the current report, acme/large in T0: 480 of 500 samples")
        assert third.startswith("isolation of the current report, b in T0: ")


def test_two_reports_that_are_all_apart_need_one_line() -> None:
    both = (ALL_APART, replace(ALL_APART, model="b"))

    found = comparison_document(replace(comparison(), baseline_isolation=both, current_isolation=both))

    assert said(found.sections["isolation"]) == ["isolation: all 1,920 samples of both reports graded apart"]


def test_junit_has_the_counts_as_properties_and_a_passed_honeypot_as_a_failure() -> None:
    text = JunitRenderer().render(TRUSTED)

    SCHEMA.validate(text)
    root = fromstring(text)  # noqa: S314 - our own
    properties = {one.attrib["name"]: one.attrib["value"] for one in root.iter("property")}
    assert properties == {
        "graded apart: acme/large (T0)": "480",
        "graded shared: acme/large (T0)": "18",
        "graded unknown: acme/large (T0)": "2",
    }
    failed = [test.attrib["name"] for test in root.iter("testcase") if test.find("failure") is not None]
    assert failed[-2:] == ["trap", "snare"]


def test_a_set_whose_honeypots_were_never_passed_has_a_test_that_says_so() -> None:
    honest = replace(TRAPPED, passed=0, passed_cases=())

    assert "no honeypot was passed" in JunitRenderer().render(replace(TRUSTED, honeypots=(honest,)))


def test_sarif_finds_passed_honeypots_first() -> None:
    run = json.loads(SarifRenderer().render(TRUSTED))["runs"][0]

    assert [found["ruleId"] for found in run["results"][:2]] == ["honeypot_passed"] * 2
    assert run["properties"]["isolation"][0]["shared"] == 18
    assert "honeypot_passed" in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


@pytest.mark.parametrize(("isolation", "length"), [("shared", 15), (None, 14)])
def test_a_page_gets_the_isolation_of_a_sample_if_it_is_known(isolation: str | None, length: int) -> None:
    sample = SampleExcerpt(
        key=CaseKey("acme/large", "T0", "basics", "it"),
        attempt=0,
        classification="pass",
        passed=True,
        text="x",
        isolation=isolation,
    )

    [row] = unpacked(str(payload(TRUSTED, [sample]).blocks[1]), "samples-0")["0"]

    assert len(row) == length
    assert (row[-1] == "shared") is (isolation is not None)
