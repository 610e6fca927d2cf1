"""A second try sees the first answer and why it failed; a report says how many cases passed by then."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import steelyard
from steelyard.app.view.run_view import RunView
from steelyard.errors import InputError
from steelyard.model.evalset import FURTHER_TRY
from steelyard.model.request import Request
from steelyard.model.sample import Sample, SampleKey
from steelyard.model.viewing import CaseFilter, PageRequest
from steelyard.runner.feedback import Feedback
from steelyard.store.run.files import RunReader

CASES = {"first": 1, "second": 2, "never": 3}  # what the function of each must return
SET = """
[eval_set]
id = "tries"

[sampling]
stop_rule = "maximum=2,passes=1"
feedback = true
"""
RIGHT = {("first", 0), ("second", 1)}


def key(case: str, attempt: int = 0) -> SampleKey:
    return SampleKey("m", "T0", "default", case, "d", attempt)


def sample(case: str, text: str) -> Sample:
    return Sample(model="m", case=case, digest="d", attempt=0, text=text)


@pytest.fixture
def eval_set(tmp_path: Path) -> Path:
    text = SET + "".join(
        f'[[cases]]\nid = "{case}"\nlanguage = "python"\nprompt = "Write f for {case}."\n'
        f'expectations = {{ tests = "assert f() == {value}" }}\n'
        for case, value in CASES.items()
    )
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    return tmp_path / "set.toml"


def record(path: Path, attempts: Mapping[str, int]) -> Path:
    """Write answers to so many attempts of each case; only some of them are right."""
    rows = [
        {"model": "m", "case": case, "attempt": attempt, "text": answer(case, attempt)}
        for case, count in attempts.items()
        for attempt in range(count)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def answer(case: str, attempt: int) -> str:
    value = CASES[case] if (case, attempt) in RIGHT else 1000 + attempt
    return f"```python\ndef f():\n    return {value}\n```"


def asked(run: steelyard.Run) -> dict[tuple[str, int], str]:
    rows = run.sql("SELECT case_id, attempt, prompt_digest FROM samples WHERE error IS NULL")
    return {(row["case_id"], row["attempt"]): row["prompt_digest"] for row in rows}


def expected(run: steelyard.Run, case: str) -> str:
    """Return the digest of what the second try must be asked, by what the run says of the first."""
    sql = f"SELECT detail FROM outcomes WHERE case_id = '{case}' AND attempt = 0"  # noqa: S608  # our own case
    (row,) = run.sql(sql)
    assert "expected" in row["detail"]
    told = Feedback()
    told.add(sample(case, answer(case, 0)), row["detail"])
    prompt = told.prompt(key(case, 1), f"Write f for {case}.")
    return Request(key=key(case, 1), prompt=prompt).prompt_digest


def test_a_first_try_is_asked_the_prompt_of_the_case() -> None:
    assert Feedback().prompt(key("a"), "Do it.") == "Do it."


def test_a_second_try_sees_the_answer_before_and_what_its_check_said_of_the_same_case_only() -> None:
    told = Feedback()
    told.add(sample("a", "x = 1"), "x is 1, and not 2")

    prompt = told.prompt(key("a", 1), "Do it.")

    assert prompt.startswith("Do it.\n")
    assert prompt.index("x = 1") < prompt.index("x is 1, and not 2")
    assert told.prompt(key("b", 1), "Do it.") == "Do it."


@pytest.mark.timeout(600)
def test_only_what_failed_is_tried_again_and_pass_at_2_counts_what_passed_by_then(
    eval_set: Path, tmp_path: Path
) -> None:
    answers = record(tmp_path / "answers.jsonl", {"first": 1, "second": 2, "never": 2})

    run = steelyard.run(eval_set, replay=answers, address=tmp_path / "run")

    prompts = asked(run)
    assert set(prompts) == {
        ("first", 0),
        *((case, attempt) for case in ("second", "never") for attempt in (0, 1)),
    }
    assert prompts["second", 1] == expected(run, "second")
    (subject,) = run.report().subjects
    assert {one.k: one.estimate.value for one in subject.pass_at_k} == pytest.approx({1: 1 / 3, 2: 2 / 3})


@pytest.mark.timeout(600)
def test_a_run_that_goes_on_still_knows_why_the_first_try_failed(eval_set: Path, tmp_path: Path) -> None:
    first = record(tmp_path / "first.jsonl", {"first": 1, "second": 1, "never": 1})
    both = record(tmp_path / "both.jsonl", {"first": 1, "second": 2, "never": 2})
    steelyard.run(eval_set, replay=first, address=tmp_path / "run")

    run = steelyard.run(resume=tmp_path / "run", replay=both)

    assert asked(run)["second", 1] == expected(run, "second")


@pytest.mark.parametrize("rule", ["", 'stop_rule = "maximum=2"\n', 'stop_rule = "maximum=4,passes=2"\n'])
def test_feedback_goes_with_a_rule_that_ends_at_the_first_pass(rule: str, eval_set: Path) -> None:
    text = eval_set.read_text(encoding="utf-8")
    eval_set.write_text(text.replace('stop_rule = "maximum=2,passes=1"\n', rule), encoding="utf-8")

    with pytest.raises(InputError, match="pass"):
        steelyard.read_eval_set(eval_set)


def test_sets_without_feedback_keep_their_digests(eval_set: Path) -> None:
    without = eval_set.read_text(encoding="utf-8").replace("feedback = true\n", "")
    known = steelyard.read_eval_set(eval_set).digest
    eval_set.write_text(without, encoding="utf-8")

    assert steelyard.read_eval_set(eval_set).digest == "596d2e5de4ba8b8e2d584111ae754f2c" != known


def test_second_tries_are_checked_again_with_the_first(eval_set: Path, tmp_path: Path) -> None:
    answers = record(tmp_path / "answers.jsonl", {"first": 1, "second": 2, "never": 2})
    steelyard.run(eval_set, address=tmp_path / "run", replay=answers)
    stricter = eval_set.read_text(encoding="utf-8").replace(
        "assert f() == 2", "assert f() == 2; assert f() < 3"
    )
    eval_set.write_text(stricter, encoding="utf-8")

    done = steelyard.regrade(tmp_path / "run", eval_set=eval_set)

    assert done.changed_prompts == ()
    assert (done.changed_cases, done.result.checked) == (1, 2)


def test_a_second_try_is_shown_with_a_word_about_what_it_was_asked(eval_set: Path, tmp_path: Path) -> None:
    answers = record(tmp_path / "answers.jsonl", {"first": 1, "second": 2, "never": 2})
    steelyard.run(eval_set, address=tmp_path / "run", replay=answers)

    first, second = steelyard.show_answers(tmp_path / "run", "second")
    view = RunView("r", str(tmp_path / "run"), "r", RunReader(str(tmp_path / "run")))
    [row] = view.case_page(CaseFilter(name="second"), PageRequest(size=5)).rows
    shown = [view.sample(row.key, attempt).messages for attempt in (0, 1)]
    view.close()

    assert first.prompt == "Write f for second."
    assert second.prompt == f"{first.prompt}\n\n({FURTHER_TRY})"
    assert [[one.role for one in messages] for messages in shown] == [["user"], ["user", "note"]]
