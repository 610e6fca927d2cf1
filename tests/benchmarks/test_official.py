"""The official rules, as we wrote them down, judge as the harnesses say they do."""

import pytest

from perf.official import EvalPlusJob, evalplus, human_eval

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
LONG_S = 60.0


def job(reference: str, answer: str, rule: str = "") -> EvalPlusJob:
    return EvalPlusJob(
        dataset="mbpp",
        function="f",
        reference=f"def f(x): return {reference}",
        answer=f"def f(x): return {answer}",
        inputs=[[3]],
        atol=0,
        unordered=rule == "unordered",
        present=rule == "present",
    )


@pytest.mark.parametrize(
    ("program", "passes"),
    [("assert 1 == 1", True), ("assert 1 == 2", False), ("exit(0)", False), ("1 +", False)],
)
def test_a_program_passes_if_it_runs_to_its_end(program: str, *, passes: bool) -> None:
    assert human_eval(program, LONG_S) is passes


def test_a_program_without_end_fails() -> None:
    assert not human_eval("while True: pass", 0.5)


@pytest.mark.parametrize(
    ("asked", "passes"),
    [
        (job("x + 1", "x - -1"), True),
        (job("x + 1", "x"), False),
        (job("x + 1", "str(x + 1)"), False),
        (job("x / 3", "x / 3 + 1e-9"), True),
        (job("x / 3", "x / 3 + 1e-3"), False),
        (job("x", "x + 1e-9"), False),  # no float is expected
        (job("[1, 2]", "(2, 1, 1)", "unordered"), True),
        (job("[1, 2]", "[1, 2]"), True),
        (job("[1, 2]", "[2, 1]"), False),
        (job("'text'", "object()", "present"), True),
        (job("None", "object()", "present"), False),
    ],
)
def test_an_answer_passes_if_it_returns_what_the_reference_does(asked: EvalPlusJob, *, passes: bool) -> None:
    assert evalplus(asked, LONG_S) is passes


def test_a_zero_is_judged_by_what_the_polynomial_is_there() -> None:
    reference, other, wrong = "2.0", "3.0", "2.5"
    near = [
        EvalPlusJob(
            dataset="humaneval",
            function="find_zero",
            reference=f"def find_zero(xs): return {reference}",
            answer=f"def find_zero(xs): return {answer}",
            inputs=[[[6, -5, 1]]],
            atol=1e-4,
            unordered=False,
            present=False,
        )
        for answer in (reference, other, wrong)
    ]

    assert [evalplus(one, LONG_S) for one in near] == [True, True, False]
