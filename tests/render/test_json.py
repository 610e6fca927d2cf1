import json
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import jsonschema
import pytest

from steelyard.errors import InputError
from steelyard.model.comparison import Comparison
from steelyard.model.estimate import Estimate
from steelyard.model.gate import GateReport
from steelyard.model.report import Report
from steelyard.model.summary import CostOfPass
from steelyard.render.json import (
    JsonRenderer,
    record_json_schema,
)
from steelyard.sources.record_file import read_record, read_report
from tests.analysis.comparisons import comparison, mixed_comparison
from tests.analysis.gates import SITUATIONS, gate
from tests.analysis.reports import bare_subject, case, report, subject, tiered_report, undefined_subject

NEVER = CostOfPass(value=None, infinite=True, lower_bound=1.9315)
REPORTS = [
    report(),
    report(undefined_subject()),
    report(bare_subject("模型"), replace(subject("\x1b[31m\u202e\x9b|<script>"), cost_of_pass=NEVER)),
    tiered_report(),
]
GATES = [gate(), *SITUATIONS.values()]
COMPARISONS = [comparison(subjects=()), mixed_comparison()]


@pytest.mark.parametrize("whole", REPORTS)
def test_a_report_comes_back_as_it_went(whole: Report, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(JsonRenderer().render(whole), encoding="utf-8")

    assert read_report(file) == whole


@pytest.mark.parametrize("whole", COMPARISONS)
def test_a_comparison_comes_back_as_it_went(whole: Comparison, tmp_path: Path) -> None:
    file = tmp_path / "comparison.json"
    file.write_text(JsonRenderer().render(whole), encoding="utf-8")

    assert read_record(file, Comparison) == whole


@pytest.mark.parametrize("whole", GATES)
def test_a_verdict_comes_back_as_it_went(whole: GateReport, tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    file.write_text(JsonRenderer().render(whole), encoding="utf-8")

    assert read_record(file, GateReport) == whole


def test_a_report_is_not_read_as_a_verdict(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    file.write_text(JsonRenderer().render(report()), encoding="utf-8")

    with pytest.raises(InputError, match=r"steelyard\.report/1.*steelyard\.gate/2"):
        read_record(file, GateReport)


def test_a_rule_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    text = JsonRenderer().render(gate()).replace('"alpha": 0.05', '"alpha": 0.9')
    file.write_text(text, encoding="utf-8")

    with pytest.raises(InputError, match=r"alpha.*0\.0001.*0\.5"):
        read_record(file, GateReport)


@pytest.mark.parametrize("whole", REPORTS)
def test_a_report_fits_its_schema(whole: Report) -> None:
    jsonschema.Draft202012Validator(record_json_schema(Report)).validate(
        json.loads(JsonRenderer().render(whole))
    )


@pytest.mark.parametrize("whole", COMPARISONS)
def test_a_comparison_fits_its_schema(whole: Comparison) -> None:
    written = json.loads(JsonRenderer().render(whole))

    jsonschema.Draft202012Validator(record_json_schema(Comparison)).validate(written)


@pytest.mark.parametrize("whole", GATES)
def test_a_verdict_fits_its_schema(whole: GateReport) -> None:
    jsonschema.Draft202012Validator(record_json_schema(GateReport)).validate(
        json.loads(JsonRenderer().render(whole))
    )


@pytest.mark.parametrize(
    "schema", [record_json_schema(Report), record_json_schema(Comparison), record_json_schema(GateReport)]
)
def test_a_schema_is_valid_and_closed(schema: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    records = [schema, *(part for part in schema["$defs"].values() if part["type"] == "object")]

    assert "$id" not in schema
    assert all(part["additionalProperties"] is False for part in records)
    assert all(part["title"] and part["description"] for part in records)


def test_the_schema_admits_no_other_version_and_no_unknown_key() -> None:
    validator = jsonschema.Draft202012Validator(record_json_schema(Report))
    written = json.loads(JsonRenderer().render(report()))

    assert validator.is_valid(written)
    assert not validator.is_valid(written | {"schema": "steelyard.report/9"})
    assert not validator.is_valid(written | {"colour": "red"})
    assert not validator.is_valid({key: value for key, value in written.items() if key != "schema"})


def test_the_text_is_indented_unescaped_and_in_the_order_of_the_fields() -> None:
    lines = JsonRenderer().render(report(subject("模型"))).splitlines()

    assert lines[:3] == ["{", '  "schema": "steelyard.report/1",', '  "generator": "steelyard 0.0.0",']
    assert '      "model": "模型",' in lines


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_never_written(value: float) -> None:
    with pytest.raises(ValueError, match="a report contains NaN or Infinity"):
        JsonRenderer().render(report(replace(subject(), score=Estimate.of(value))))


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_comparison_too_refuses_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="a comparison contains NaN or Infinity"):
        JsonRenderer().render(replace(comparison(), threshold=value))


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity", "NaN,"])
def test_a_name_may_be_what_no_number_may(name: str) -> None:
    weighted = replace(report().settings, suite_weights={name: 1.0})
    whole = report(subject(name), warnings=[name], settings=weighted)

    assert json.loads(JsonRenderer().render(whole))["warnings"] == [name]


def test_half_a_character_is_refused_with_a_message() -> None:
    with pytest.raises(InputError, match="JSON"):
        JsonRenderer().render(report(subject("\udcff")))


@pytest.mark.check_all
def test_twenty_thousand_cases_are_written_quickly() -> None:
    whole = report(subject(), cases=[case(f"case-{number}") for number in range(20_000)])

    start = process_time()
    text = JsonRenderer().render(whole)
    elapsed_s = process_time() - start

    assert text.count('"case": "case-') == 20_000
    assert elapsed_s < 5  # about 0.4 s on an ordinary machine
