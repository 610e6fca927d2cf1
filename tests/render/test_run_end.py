"""How a run ended, in words."""

from steelyard.model.progress import RunProgress, RunResult, StopCause, StopReason, SubjectProgress
from steelyard.render.run_end import run_summary


def test_a_small_cap_is_written_without_an_exponent_and_one_answer_is_no_plural() -> None:
    subject = SubjectProgress(planned=2, drawn=2, unpriced=1, cost_nano_usd=5)
    progress = RunProgress(subjects={("m", "T0"): subject}, max_nano_usd=10_000)
    budget = StopReason(cause=StopCause.BUDGET, message="no more")

    shown = run_summary(
        RunResult(address="r", progress=progress, stopped={"lab": budget}, was_stopped=False), "r"
    )

    assert "stopped: the cap of $0.00001 is reached: no more" in shown
    assert "(and 1 answer of unknown price)" in shown
