"""Verdicts that differ are counted, and those that agree are counted apart."""

from concurrent.futures import ThreadPoolExecutor

from perf.mutants import Graded, compared
from steelyard.auditing.mutations import Mutant
from steelyard.checks.toolchains.python import PythonChecker
from steelyard.model.case import Case, Expectations
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

CASE = Case(
    id="one",
    language="python",
    expectations=Expectations(tests="assert one() == 1\n", settings={"answer": "raw"}),
)
RIGHT, WRONG = Mutant("none", "def one(): return 1\n"), Mutant("Constant", "def one(): return 2\n")


def test_a_verdict_is_counted_by_what_both_rules_say() -> None:
    graded = [
        Graded(CASE, RIGHT, lambda _: True),
        Graded(CASE, WRONG, lambda _: False),
        Graded(CASE, RIGHT, lambda _: False),
        Graded(CASE, WRONG, lambda _: True),
    ]

    with ThreadPoolExecutor(1) as pool:
        counts = compared(PythonChecker(BubblewrapSandbox()), graded, pool, timeout_s=60.0, workers=1)

    assert (counts.passed, counts.failed) == (1, 1)
    assert [text.partition(",")[0] for text in counts.differences] == ["one", "one"]
    assert "official False, ours pass" in counts.differences[0]
    assert "official True, ours fail" in counts.differences[1]
