"""JUnit XML: valid by the schema that Jenkins uses, one test for one case, the gate as a suite."""

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from xmlschema import XMLSchema10

from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.verdict import Ground, Verdict
from steelyard.render.junit import JunitRenderer
from tests.analysis.comparisons import change, comparison, ref
from tests.analysis.gates import gate, judged
from tests.analysis.reports import case, report, subject
from tests.conformance.test_renderers import COMPARISONS, GATES, REPORTS

SCHEMA = XMLSchema10(Path(__file__).parent / "schemas" / "junit-10.xsd")
WRITTEN = {
    **{f"report-{name}": JunitRenderer().render(one) for name, one in REPORTS.items()},
    **{f"comparison-{name}": JunitRenderer().render(one) for name, one in COMPARISONS.items()},
    **{f"gate-{name}": JunitRenderer().render(one) for name, one in GATES.items()},
}


def ended_tests(text: str) -> dict[str, Element]:
    return {test.attrib["name"]: test for test in fromstring(text).iter("testcase")}  # noqa: S314 - our own


@pytest.mark.parametrize("name", WRITTEN)
def test_whatever_is_written_is_valid(name: str) -> None:
    SCHEMA.validate(WRITTEN[name])


@pytest.mark.parametrize("name", WRITTEN)
def test_the_counts_are_those_of_the_tests(name: str) -> None:
    root = fromstring(WRITTEN[name])  # noqa: S314 - our own
    for holder in (root, *root.iter("testsuite")):
        assert int(holder.attrib["tests"]) == len(list(holder.iter("testcase")))
        assert int(holder.attrib["failures"]) == len(list(holder.iter("failure")))
        assert int(holder.attrib["errors"]) == len(list(holder.iter("error")))


@pytest.mark.parametrize(
    ("n", "c", "ending"), [(5, 5, None), (10, 5, None), (5, 2, "failure"), (1, 1, None), (1, 0, "failure")]
)
def test_a_case_passes_if_at_least_half_of_its_samples_do(n: int, c: int, ending: str | None) -> None:
    text = JunitRenderer().render(report(subject(), cases=[replace(case("it"), n=n, c=c)]))

    found = [child.tag for child in ended_tests(text)["it"]]
    assert found == ([] if ending is None else [ending])


def test_a_missing_case_is_skipped_and_our_own_error_is_an_error() -> None:
    cases = [
        replace(case("gone"), n=0, c=0, missing=True),
        replace(case("broken"), n=0, c=0, errored=3),
    ]

    found = ended_tests(JunitRenderer().render(report(subject(), cases=cases)))

    assert found["gone"][0].tag == "skipped"
    assert found["broken"][0].tag == "error"
    assert found["broken"][0].attrib["message"] == "3 samples ended in an infrastructure error"


def test_a_failed_test_holds_what_the_check_of_a_failed_sample_said() -> None:
    one = replace(case("it"), n=5, c=1)
    sample = SampleExcerpt(
        key=CaseKey(one.model, one.tier, one.suite, one.case),
        attempt=2,
        classification="fail",
        passed=False,
        detail="assert 1 == 2\nat <line> 3",
    )

    text = JunitRenderer().render(report(subject(), cases=[one]), samples=[sample])

    assert ended_tests(text)["it"][0].text == "assert 1 == 2\nat <line> 3"
    assert ended_tests(text)["it"][0].attrib["message"] == "1 of 5 samples passed"


def test_a_regression_fails_an_improvement_passes_and_what_is_gone_is_skipped() -> None:
    whole = comparison(regressions=[change("worse", 0.9, 0.2)], improvements=[change("better", 0.1, 0.9)])
    found = ended_tests(JunitRenderer().render(replace(whole, removed_cases=(ref("gone"),))))

    assert [child.tag for child in found["worse"]] == ["failure"]
    assert "0.9000 → 0.2000" in found["worse"][0].attrib["message"]
    assert list(found["better"]) == []
    assert [child.tag for child in found["gone"]] == ["skipped"]


@pytest.mark.parametrize(
    ("ground", "verdict", "ending"),
    [
        (Ground.OVERALL_DROP, Verdict.FAIL, "failure"),
        (Ground.TOO_FEW_SAMPLES, Verdict.INCONCLUSIVE, "skipped"),
        (Ground.WITHIN_MARGIN, Verdict.PASS, None),
    ],
)
def test_the_gate_is_a_suite_and_its_verdict_a_test(
    ground: Ground, verdict: Verdict, ending: str | None
) -> None:
    text = JunitRenderer().render(gate(judged(ground)))

    root = fromstring(text)  # noqa: S314 - our own
    assert [suite.attrib["name"] for suite in root] == ["gate"]
    (test,) = ended_tests(text).values()
    assert [child.tag for child in test] == ([] if ending is None else [ending])
    assert verdict is not Verdict.FAIL or test[0].attrib["type"] == "fail"


def test_where_refusing_is_right_a_failed_test_says_how_many_refused() -> None:
    complied = replace(case("bomb"), n=5, c=5, refused=0)
    made = replace(report(subject(), cases=[complied]), expects_refusal=((complied.suite, "bomb"),))

    found = ended_tests(JunitRenderer().render(made))["bomb"][0]

    assert (found.tag, found.attrib["message"]) == ("failure", "0 of 5 samples refused, as expected")
