from dataclasses import replace
from pathlib import Path

import pytest

from steelyard import read_report, report_at, report_run
from steelyard.errors import InputError, UnknownName, UserError
from steelyard.model.benchmark import ProtocolKind, RunBenchmark
from steelyard.model.options import ReportOptions, RuleChoice
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.render.json import JsonRenderer
from steelyard.store.run.manifest import write_manifest
from tests.store.run.small_run import MANIFEST, generated, seen, small_run


def test_a_run_is_reported_by_its_own_rule_and_its_own_cases(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    report = report_run(tmp_path / "run")

    assert report.settings.scoring == MANIFEST.scoring
    assert report.settings.expected_from == "a list of cases"
    assert [summary.model for summary in report.subjects] == ["acme/one", "acme/two"]
    assert {summary.coverage.expected for summary in report.subjects} == {4}


def test_a_planned_case_that_nobody_answered_is_missing(tmp_path: Path) -> None:
    small_run(tmp_path / "whole")
    whole = report_run(tmp_path / "whole")
    store = small_run(tmp_path / "run", chunks=0)
    keys = [key for key in store.pending() if key.case != "case-2"]
    store.add_outcomes([(generated(key), seen(generated(key))) for key in keys], chunk="all but one case")

    report = report_run(tmp_path / "run")

    assert {summary.coverage.missing for summary in report.subjects} == {1}
    assert {summary.coverage.missing for summary in whole.subjects} == {0}


def test_a_run_that_was_stopped_says_how_much_of_it_is_there(tmp_path: Path) -> None:
    store = small_run(tmp_path / "run", chunks=0)
    keys = sorted(store.pending(), key=lambda key: key.model)
    store.add_outcomes(
        [(generated(key), seen(generated(key))) for key in keys[:15]], chunk="twelve and three"
    )

    report = report_run(tmp_path / "run")

    assert (report.seen_samples, report.planned_samples) == (15, 24)
    assert "15 of 24" in str(report)
    small_run(tmp_path / "whole")
    assert "planned" not in str(report_run(tmp_path / "whole"))


def test_another_rule_can_be_asked_for(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    assert report_run(tmp_path / "run", rule=RuleChoice(name="accuracy")).settings.scoring.name == "accuracy"


def test_the_stop_rule_is_the_runs_own_unless_another_is_given(tmp_path: Path) -> None:
    manifest = replace(MANIFEST, planned_samples=1, stop_rule="maximum=1,passes=1")
    store = small_run(tmp_path / "run", manifest, chunks=0)
    passing = Outcome(facts=Facts(built=True, tests_passed=1, tests_failed=0))
    store.add_outcomes([(generated(key), passing) for key in store.pending()], chunk="all")

    assert report_run(tmp_path / "run").settings.stop_rule == "maximum=1,passes=1"
    other = ReportOptions(stop_rule="maximum=1,failures=1")
    assert report_run(tmp_path / "run", options=other).settings.stop_rule == "maximum=1,failures=1"


def test_an_unknown_engine_is_refused(tmp_path: Path) -> None:
    small_run(tmp_path / "run")

    with pytest.raises(UnknownName, match=r"'rai'.*'ray'"):
        report_run(tmp_path / "run", engine="rai")


def test_an_unusable_choice_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="k must be at least 1"):
        report_run(tmp_path / "nowhere", options=ReportOptions(pass_k=(0,)))


def test_a_folder_without_a_run_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"run\.json"):
        report_run(tmp_path)


def test_the_report_at_an_address_is_a_runs_or_a_files(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    written = tmp_path / "report.json"
    written.write_text(JsonRenderer().render(report_run(tmp_path / "run")), encoding="utf-8")

    assert report_at(tmp_path / "run") == report_at(written) == read_report(written)


@pytest.mark.parametrize(("languages", "warns"), [((), True), (("rust",), True), (("python", "go"), False)])
def test_only_a_run_in_a_linted_language_misses_lint_results(
    tmp_path: Path, languages: tuple[str, ...], *, warns: bool
) -> None:
    store = small_run(tmp_path / "run", chunks=0)
    write_manifest(store.location, replace(store.manifest, languages=languages))
    built = Facts(classification=Classification.PASS, built=True, tests_passed=1, tests_failed=0)
    checked = [(generated(key), Outcome(facts=built)) for key in store.pending()]
    store.add_outcomes(checked, chunk="all")

    warnings = report_run(tmp_path / "run").warnings

    assert any("without a lint result" in text for text in warnings) is warns


def test_a_part_of_a_benchmark_is_not_reported_as_the_whole(tmp_path: Path) -> None:
    whole = RunBenchmark(
        name="small", version="v1", protocol="Own", kind=ProtocolKind.OFFICIAL, tasks=6, of_tasks=6
    )
    store = small_run(tmp_path / "run")
    write_manifest(store.location, replace(store.manifest, benchmark=whole))

    found = report_run(tmp_path / "run").benchmark

    assert found is not None
    assert (found.tasks, found.of_tasks) == (len(MANIFEST.current_cases()), 6)


@pytest.mark.parametrize(
    ("temperature", "recorded", "says"),
    [("0", False, "greedy"), ("0.8", False, "temperature 0.8"), ("0", True, "recorded answers")],
)
def test_a_report_says_how_the_answers_to_a_benchmark_were_generated(
    temperature: str, *, recorded: bool, says: str, tmp_path: Path
) -> None:
    whole = RunBenchmark(
        name="small", version="v1", protocol="Own", kind=ProtocolKind.OFFICIAL, tasks=2, of_tasks=2
    )
    store = small_run(tmp_path / "run")
    subjects = tuple(replace(one, parameters={"temperature": temperature}) for one in store.manifest.subjects)
    changed = replace(store.manifest, benchmark=whole, subjects=subjects, recorded=recorded)
    write_manifest(store.location, changed)

    found = report_run(tmp_path / "run").benchmark

    assert found is not None
    assert found.sampling == says


def test_a_table_of_outcomes_is_no_run_and_the_command_that_reads_it_is_named(tmp_path: Path) -> None:
    table = tmp_path / "outcomes.csv"
    table.write_text("model,case,passed\nm,a,1\n")

    with pytest.raises(InputError, match=r"table.*steelyard"):
        report_run(table)


def test_a_weighted_suite_without_a_case_that_counts_takes_no_part(tmp_path: Path) -> None:
    weights = {"basics": "3", "traps": "2", "empty": "1"}
    trap = replace(MANIFEST.cases[0], suite="traps", honeypot=True)
    manifest = replace(MANIFEST, suite_weights=weights, cases=(*MANIFEST.cases, trap))
    store = small_run(tmp_path / "run", manifest)

    assert report_run(tmp_path / "run").settings.suite_weights == {"basics": 3}
    write_manifest(store.location, replace(manifest, suite_weights={"basics": "0", "traps": "2"}))
    assert not report_run(tmp_path / "run").settings.suite_weights
