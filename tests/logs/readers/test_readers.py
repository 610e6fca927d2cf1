"""What readers make of values beyond pass and fail: errors, tokens, texts, scorers, repeats, tiers."""

from pathlib import Path
from typing import Any

import pytest

from steelyard.app.log_files import found_logs, read_logs
from steelyard.errors import InputError
from steelyard.model.log import Log, LogOptions
from steelyard.model.outcome import Classification
from tests.logs import small_logs as small


def read(*paths: Path, options: LogOptions | None = None) -> Log:
    (log,) = read_logs(found_logs(paths), options or LogOptions())
    return log


def left_out(log: Log) -> dict[str, int]:
    return {one.what: one.count for one in log.left_out}


def inspect(folder: Path, *samples: dict[str, Any], **header: object) -> Path:
    return small.write_json(folder / "log.json", {**small.inspect_header(**header), "samples": list(samples)})


def test_inspect_gives_prompt_answer_output_tokens_cost_and_time(tmp_path: Path) -> None:
    row = read(small.inspect_json(tmp_path)).rows[0]

    assert (row.prompt, row.target, row.answer) == ("Write add.", "ok", "def add(): ...")
    assert (row.output, row.finish_reason) == ("ran", "stop")
    assert (row.tokens_in, row.tokens_out, row.cost_usd, row.latency_s) == (10, 5, 0.25, 1.5)


def test_an_inspect_sample_with_an_error_is_no_failure(tmp_path: Path) -> None:
    broken = small.inspect_sample("sub", 0, passed=True, scores=None, error={"message": "503"})

    rows = read(inspect(tmp_path, small.inspect_sample("add", 0, passed=True), broken)).rows

    assert [(row.passed, row.error) for row in rows] == [(True, None), (None, "503")]


def test_an_inspect_sample_without_a_score_or_with_one_out_of_range_is_an_error(tmp_path: Path) -> None:
    samples = [
        small.inspect_sample("add", 0, passed=True),
        small.inspect_sample("sub", 0, passed=True, scores={}),
        small.inspect_sample("mul", 0, passed=True, scores={"verify": {"value": 7.5}}),
        small.inspect_sample("div", 0, passed=True, scores={"verify": {"value": float("nan")}}),
    ]

    log = read(inspect(tmp_path, *samples))

    assert [(row.case, row.passed, row.error) for row in log.rows] == [
        ("add", True, None),
        ("sub", None, "there is no score"),
        ("mul", None, "the score is not between 0 and 1"),
        ("div", None, "there is no score"),
    ]


def test_a_partial_score_of_inspect_passes_only_from_the_chosen_score_on(tmp_path: Path) -> None:
    path = inspect(tmp_path, small.inspect_sample("add", 0, passed=True, scores={"verify": {"value": "P"}}))

    verdicts = [read(path, options=LogOptions(pass_score=at)).rows[0].passed for at in (1, 0.5)]

    assert verdicts == [False, True]


def test_one_scorer_of_inspect_counts_and_another_can_be_chosen(tmp_path: Path) -> None:
    both = {"verify": {"value": "C"}, "style": {"value": {"length": 0, "names": 1}}}
    path = inspect(tmp_path, small.inspect_sample("add", 0, passed=True, scores=both))

    first, other = read(path), read(path, options=LogOptions(scorer="style.length"))

    assert (first.rows[0].passed, other.rows[0].passed) == (True, False)
    assert left_out(first) == {"scores by style": 1}
    with pytest.raises(InputError, match="'speed'"):
        read(path, options=LogOptions(scorer="speed"))


def test_a_score_of_inspect_with_several_values_says_which_there_are(tmp_path: Path) -> None:
    several = {"style": {"value": {"length": 0, "names": 1}}}
    path = inspect(tmp_path, small.inspect_sample("add", 0, passed=True, scores=several))

    with pytest.raises(InputError, match="--scorer"):
        read(path, options=LogOptions(scorer="style"))


def test_long_texts_of_inspect_are_taken_from_its_attachments(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "attachment://a"}]}]
    sample = small.inspect_sample("add", 0, passed=True, input=messages, attachments={"a": "long"})

    assert read(inspect(tmp_path, sample)).rows[0].prompt == "user: long"


def test_an_unfinished_inspect_archive_is_read_from_its_journal(tmp_path: Path) -> None:
    samples = [small.inspect_sample(*answer) for answer in small.ANSWERS]
    members: dict[str, object] = {
        "header.json": None,
        "summaries.json": None,
        "samples/sub_epoch_2.json": None,
        "_journal/start.json": {**small.inspect_header(), "status": None},
        "_journal/summaries/1.json": samples[:3],
    }

    log = read(small.inspect_eval(tmp_path, members))

    assert len(log.rows) == 3
    assert left_out(log) == {"samples": 1}


def test_a_sample_of_inspect_of_which_only_the_summary_is_left_gives_an_outcome(tmp_path: Path) -> None:
    log = read(small.inspect_eval(tmp_path, {"samples/add_epoch_1.json": None}))

    assert (len(log.rows), left_out(log)) == (4, {"answers": 1})


def test_an_error_of_a_provider_in_promptfoo_is_no_failure_but_a_failed_assertion_is(tmp_path: Path) -> None:
    rows = [
        small.promptfoo_row("add", 0, passed=False, failureReason=2, error="429", response=None),
        small.promptfoo_row("sub", 0, passed=False),
    ]

    found = read(small.write_lines(tmp_path / "output.jsonl", rows)).rows

    assert [(row.passed, row.error) for row in found] == [(None, "429"), (False, None)]


def test_prompts_of_promptfoo_are_tiers_and_tests_with_equal_variables_are_told_apart(tmp_path: Path) -> None:
    other = {"promptId": "q", "prompt": {"raw": "x", "label": "Please write {{fn}}."}}
    rows = [
        small.promptfoo_row("add", 0, passed=True),
        small.promptfoo_row("add", 0, passed=True, **other),
        small.promptfoo_row("add", 0, passed=True, testCase={"assert": [{"type": "other"}]}),
    ]

    log = read(small.write_lines(tmp_path / "output.jsonl", rows))

    assert log.tiers == {"T0": "Write {{fn}}.", "T1": "Please write {{fn}}."}
    assert len({(row.tier, row.case) for row in log.rows}) == 3
    assert {row.attempt for row in log.rows} == {0}


def test_documents_of_lm_eval_that_another_filter_read_are_left_out(tmp_path: Path) -> None:
    rows = [small.lm_eval_document(0, "add"), small.lm_eval_document(0, "add", filter="strict")]
    path = small.write_lines(tmp_path / "samples_sums_2026-11-15T13-48-58.2.jsonl", rows)

    log = read(path)

    assert (len(log.rows), left_out(log)) == (2, {"documents": 1})
    assert len(read(path, options=LogOptions(scorer="pass@1,strict")).rows) == 2


def test_answers_of_lm_eval_are_kept_only_where_all_or_none_of_the_repeats_passed(tmp_path: Path) -> None:
    log = read(small.lm_eval(tmp_path))

    assert {row.case: row.answer is not None for row in log.rows} == {"add": True, "sub": False}
    assert not log.attempts_known
    assert {row.model for row in log.rows} == {"m"}


def test_results_of_lm_eval_without_samples_are_refused(tmp_path: Path) -> None:
    small.lm_eval(tmp_path).unlink()

    with pytest.raises(InputError, match="--log_samples"):
        read(tmp_path / "results_2026-11-15T13-48-58.2.json")


def test_evalplus_counts_the_added_tests_unless_the_original_ones_are_chosen(tmp_path: Path) -> None:
    path = small.evalplus(tmp_path)

    passed = [
        sum(bool(row.passed) for row in read(path, options=LogOptions(scorer=one)).rows)
        for one in (None, "base")
    ]

    assert passed == [3, 4]


def test_evalplus_fails_an_answer_that_passes_the_added_tests_only(tmp_path: Path) -> None:
    answers = [{"base_status": base, "plus_status": "pass"} for base in ("pass", "fail", "timeout")]
    path = small.write_json(tmp_path / "results.json", {"date": "2026", "eval": {"sum/1": answers}})

    kinds = [row.classification for row in read(path).rows]

    assert kinds == [Classification.PASS, Classification.FAIL, Classification.TIMEOUT]


def test_a_patch_that_does_not_apply_is_the_models_failure(tmp_path: Path) -> None:
    reasons = {"x": "patch_apply_failed", "y": "container died"}
    rows = read(small.swe_bench(tmp_path, error_ids=["x", "y"], failure_reasons=reasons)).rows

    assert {row.case: row.passed for row in rows if row.case in reasons} == {"x": False, "y": None}


def test_an_error_without_a_reason_counts_as_not_resolved_as_in_older_reports(tmp_path: Path) -> None:
    rows = read(small.swe_bench(tmp_path, error_ids=["x"], failure_reasons={})).rows

    assert [row.passed for row in rows if row.case == "x"] == [False]


def test_an_exception_of_a_harbor_trial_is_an_error_unless_the_agent_ran_out_of_time_and_was_graded(
    tmp_path: Path,
) -> None:
    job = small.harbor(tmp_path)
    broken = {"exception_type": "RuntimeError", "exception_message": "503"}
    late = {"exception_type": "AgentTimeoutError", "exception_message": ""}
    changed: dict[str, dict[str, object]] = {
        "add__0": {"exception_info": broken, "verifier_result": None},
        "sub__1": {"exception_info": late},
    }
    for name, changes in changed.items():
        case, number = name.split("__")
        trial = small.harbor_trial(case, int(number), passed=False, **changes)
        small.write_json(job / name / "result.json", trial)

    kinds = {(row.case, row.attempt): (row.passed, row.classification, row.error) for row in read(job).rows}

    assert kinds["add", 0] == (None, None, "RuntimeError: 503")
    assert kinds["sub", 1] == (False, Classification.TIMEOUT, None)


def test_a_link_in_a_harbor_job_is_not_followed(tmp_path: Path) -> None:
    job = small.harbor(tmp_path)
    (job / "add__0").rename(tmp_path / "elsewhere")
    (job / "add__0").symlink_to(tmp_path / "elsewhere")

    log = read(job)

    assert len(log.rows) == 3
    assert left_out(log)["trials"] == 1


def test_an_infrastructure_error_of_nemo_is_no_failure(tmp_path: Path) -> None:
    details = {"error_category": "infra_error", "error": "sandbox"}
    rows = [
        small.nemo_row("add", 0, passed=False, scoring_details=details),
        small.nemo_row("sub", 0, passed=False),
    ]

    found = read(small.write_lines(tmp_path / "results.jsonl", rows)).rows

    assert [row.passed for row in found] == [None, False]


def test_codes_of_livecodebench_and_modes_of_terminal_bench_give_the_kind_of_failure(tmp_path: Path) -> None:
    rows = [*read(small.livecodebench(tmp_path)).rows, *read(small.terminal_bench(tmp_path)).rows]

    assert {row.classification for row in rows if row.passed is False} == {Classification.TIMEOUT}


def test_a_broken_harness_of_terminal_bench_is_no_failure(tmp_path: Path) -> None:
    trial = {"task_id": "a", "is_resolved": False, "failure_mode": "agent_installation_failed"}
    path = tmp_path / "results.json"

    (row,) = read(small.write_json(path, {"results": [trial], "n_resolved": 0, "n_unresolved": 1})).rows

    assert (row.passed, row.error) == (None, "agent_installation_failed")


def test_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    sample = small.inspect_sample("add", 0, passed=True, input="a\ud800b")

    assert read(inspect(tmp_path, sample)).rows[0].prompt == "a?b"


TWO_PROMPTS = "fn,[m/a] One {{fn}},Status,Score,Grader Reason,[m/a] Two {{fn}},Status,Score,Grader Reason"


def test_columns_of_a_promptfoo_table_that_repeat_for_each_prompt_belong_to_their_prompt(
    tmp_path: Path,
) -> None:
    path = tmp_path / "output.csv"
    path.write_text(f"{TWO_PROMPTS}\nadd,x,PASS,1.00,fine,y,FAIL,0.00,wrong\n", encoding="utf-8")

    rows = read(path).rows

    assert [(row.tier, row.answer, row.passed, row.output) for row in rows] == [
        ("T0", "x", True, "fine"),
        ("T1", "y", False, "wrong"),
    ]


def test_two_variables_of_one_name_in_a_promptfoo_table_are_refused(tmp_path: Path) -> None:
    new, old = tmp_path / "output.csv", tmp_path / "old.csv"
    new.write_text(f"fn,{TWO_PROMPTS}\na,b,x,PASS,1.00,fine,y,FAIL,0.00,wrong\n", encoding="utf-8")
    old.write_text("Write {{fn}},fn,fn\n[PASS] x,a,b\n", encoding="utf-8")

    for path in (new, old):
        with pytest.raises(InputError, match=r"'fn'.*ID.*results.json"):
            read(path)
