"""How a run ended, in words."""

from steelyard.errors import NOT_RECORDED
from steelyard.model.progress import RunProgress, RunResult, StopCause, StopReason, SubjectProgress
from steelyard.render.run_end import run_summary


def test_a_small_cap_is_written_without_an_exponent_and_one_answer_is_no_plural() -> None:
    subject = SubjectProgress(planned=2, generated=2, unpriced=1, cost_nano_usd=5)
    progress = RunProgress(subjects={("m", "T0"): subject}, max_nano_usd=10_000)
    budget = StopReason(cause=StopCause.BUDGET, message="no more")

    shown = run_summary(
        RunResult(address="r", progress=progress, stopped={"lab": budget}, was_stopped=False), "r"
    )

    assert "stopped: the budget of $0.00001 is used up: no more" in shown
    assert "(and 1 answer of unknown price)" in shown


def test_the_next_command_repeats_the_cap_and_the_cost_of_calls_without_an_answer_is_named() -> None:
    subject = SubjectProgress(planned=2, generated=1, checked=1, cost_nano_usd=40_000_000)
    progress = RunProgress(
        subjects={("m", "T0"): subject}, spent_nano_usd=1_040_000_000, max_nano_usd=1_500_000_000
    )

    shown = run_summary(RunResult(address="r", progress=progress, stopped={}, was_stopped=True), "r")

    assert "spent $0.0400, and up to $1.0000 on calls whose cost is unknown" in shown
    assert "next: steelyard run --resume r --max-usd 1.5" in shown


def test_without_a_cap_none_is_repeated() -> None:
    subject = SubjectProgress(planned=2, generated=1, checked=1)
    progress = RunProgress(subjects={("m", "T0"): subject})

    shown = run_summary(RunResult(address="r", progress=progress, stopped={}, was_stopped=True), "r")

    assert shown.endswith("next: steelyard run --resume r")


def test_what_a_record_lacks_is_left_out_by_options_that_the_end_names() -> None:
    message = "answers.jsonl holds no answer of m (T0) to s/c, attempt 2"
    subject = SubjectProgress(
        planned=80,
        generated=80,
        checked=2,
        errors={NOT_RECORDED: 78},
        error_messages={NOT_RECORDED: message},
    )
    progress = RunProgress(subjects={("m", "T0"): subject})
    ended = RunResult(address="r", progress=progress, stopped={}, was_stopped=False)

    assert run_summary(ended, "r", again=" --replay answers.jsonl").splitlines()[1:] == [
        "78 samples excluded (infrastructure errors): not_recorded 78",
        f"  not_recorded: {message}",
        "  --cases and --samples limit a run to recorded answers",
        "next: steelyard report r",
        "  or: steelyard run EVAL-SET --replay answers.jsonl --cases CASES --samples NUMBER",
    ]


def test_a_finished_run_without_errors_leads_to_its_report_alone() -> None:
    subject = SubjectProgress(planned=2, generated=2, checked=2)
    progress = RunProgress(subjects={("m", "T0"): subject})
    ended = RunResult(address="r", progress=progress, stopped={}, was_stopped=False)

    assert run_summary(ended, "r", again=" --replay answers.jsonl").endswith("\nnext: steelyard report r")
