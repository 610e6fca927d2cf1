"""SARIF: valid by its own schema, one finding for each failed sample."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft4Validator

from steelyard.model.options import Errors
from steelyard.model.sample import SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.render import sarif
from steelyard.render.sarif import SarifRenderer
from tests.analysis.reports import case, report, subject
from tests.conformance.test_renderers import NAMES, REPORTS

SCHEMA = json.loads(
    (Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8")
)
VALIDATOR = Draft4Validator(SCHEMA)


def sample(name: str = "it", attempt: int = 0, **changes: Any) -> SampleExcerpt:  # noqa: ANN401
    one = SampleExcerpt(
        key=CaseKey("acme/large", "T0", "basics", name),
        attempt=attempt,
        classification="fail",
        passed=False,
        tests_passed=2,
        tests_failed=3,
        detail="assert 1 == 2",
    )
    return replace(one, **changes)


def findings(*samples: SampleExcerpt) -> list[dict[str, Any]]:
    text = SarifRenderer().render(report(subject(), cases=[case("it")]), samples=samples)
    VALIDATOR.validate(json.loads(text))
    found: list[dict[str, Any]] = json.loads(text)["runs"][0]["results"]
    return found


@pytest.mark.parametrize("name", REPORTS)
def test_whatever_is_written_is_valid(name: str) -> None:
    VALIDATOR.validate(json.loads(SarifRenderer().render(REPORTS[name])))


@pytest.mark.parametrize("name", NAMES)
def test_names_and_output_from_anywhere_stay_valid_and_names_unaltered(name: str) -> None:
    text = NAMES[name]
    one = sample(key=CaseKey(text, text, text, text), detail=text, classification=text)

    (found,) = findings(one)

    assert found["properties"]["case"] == text


def test_a_failed_sample_is_a_finding_that_says_how_it_failed() -> None:
    (found,) = findings(sample(), sample(attempt=1, passed=True, classification="pass"))

    assert found["ruleId"] == "fail"
    assert found["message"]["text"] == (
        "sample 1 of it by acme/large (T0): wrong, 2 of 5 tests passed\nassert 1 == 2"
    )
    assert (
        found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "basics/it/acme%2Flarge/T0/0"
    )


def test_two_samples_have_two_fingerprints_and_the_same_sample_always_the_same() -> None:
    one, two = findings(sample(), sample(attempt=1))
    (again,) = findings(sample())

    assert one["partialFingerprints"] != two["partialFingerprints"]
    assert one["partialFingerprints"] == again["partialFingerprints"]


def test_our_own_error_is_no_finding() -> None:
    assert findings(sample(passed=None, classification="error")) == []


def test_without_samples_every_case_that_did_not_always_pass_is_a_finding() -> None:
    cases = [
        replace(case("flaky"), n=5, c=2),
        replace(case("never"), n=5, c=0),
        replace(case("good"), n=5, c=5),
    ]

    text = SarifRenderer().render(report(subject(), cases=cases))

    found = json.loads(text)["runs"][0]["results"]
    assert [(one["properties"]["case"], one["level"]) for one in found] == [
        ("flaky", "warning"),
        ("never", "error"),
    ]


def test_findings_are_capped_and_those_left_out_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 2)

    text = SarifRenderer().render(report(), samples=[sample(attempt=number) for number in range(5)])

    run = json.loads(text)["runs"][0]
    assert len(run["results"]) == 2
    assert run["properties"] == {"results": 5, "resultsLeftOut": 3}


@pytest.mark.parametrize(("errors", "failed"), [(Errors.EXCLUDE, 26), (Errors.FAIL, 22)])
def test_failed_samples_that_are_not_at_hand_are_counted_as_left_out(errors: Errors, failed: int) -> None:
    # Where infrastructure errors count as failures, they are among the samples, and still no findings.
    counts = replace(case("it"), n=30, c=5, errored=4)
    refusal = replace(case("bomb"), n=4, c=0, errored=0, refused=3)
    made = report(subject(), cases=[counts, refusal])
    made = replace(
        made,
        settings=replace(made.settings, errors=errors),
        expects_refusal=((refusal.suite, refusal.case),),
    )

    text = SarifRenderer().render(made, samples=[sample(attempt=number) for number in range(10)])

    properties = json.loads(text)["runs"][0]["properties"]
    assert properties == {"results": failed, "resultsLeftOut": failed - 10}


def test_where_refusing_is_right_a_finding_says_how_many_refused() -> None:
    complied = replace(case("bomb"), n=5, c=5, refused=0)
    made = replace(report(subject(), cases=[complied]), expects_refusal=((complied.suite, "bomb"),))

    [found] = json.loads(SarifRenderer().render(made))["runs"][0]["results"]

    assert found["level"] == "error"
    assert "0 of 5 samples" in found["message"]["text"]
    assert found["message"]["text"].endswith("refused, as expected")
