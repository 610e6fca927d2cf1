"""What every checker promises, whatever it checks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from steelyard import plugins
from steelyard.app.eval_texts import is_test_name
from steelyard.errors import SandboxError
from steelyard.model.execution import Command, ExecResult
from steelyard.model.outcome import Classification, Outcome
from steelyard.runner.check.integrity import case_integrity
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.checkers import SHIPPED, Shipped
from tests.checks.leftovers import mounts, open_descriptors

each_checker = pytest.mark.parametrize("shipped", SHIPPED, ids=lambda shipped: shipped.name)


class BrokenSandbox:
    """A sandbox on a machine where nothing can be started."""

    def run(self, command: Command) -> ExecResult:
        raise SandboxError("no sandbox today")


@pytest.fixture(scope="module")
def sandbox() -> BubblewrapSandbox:
    return BubblewrapSandbox()


def timeless(outcome: Outcome) -> Outcome:
    return replace(outcome, check_us=None, peak_memory_bytes=None)


def test_every_checker_in_the_table_is_tried() -> None:
    # Tasks need a container engine; their checker is tried in tests/checks/tasks.
    assert {shipped.name for shipped in SHIPPED} == set(plugins.CHECKERS) - {"task"}


@each_checker
def test_the_right_answer_passes_and_the_wrong_one_does_not(
    shipped: Shipped, sandbox: BubblewrapSandbox
) -> None:
    checker = shipped.made(sandbox)

    right, wrong = (checker.check(shipped.case, answer) for answer in (shipped.right, shipped.wrong))

    assert right.facts.classification is Classification.PASS, right.detail
    assert wrong.facts.classification is not None
    assert wrong.facts.classification.is_failure, wrong.detail
    assert right.check_us
    assert right.check_digest
    assert right.check_digest == wrong.check_digest
    assert not right.is_repeat
    assert right.integrity is wrong.integrity is case_integrity(shipped.case)


@each_checker
def test_an_answer_without_code_has_the_integrity_of_its_case(
    shipped: Shipped, sandbox: BubblewrapSandbox
) -> None:
    empty = shipped.made(sandbox).check(shipped.case, "")

    assert empty.integrity is case_integrity(shipped.case)


@each_checker
def test_every_failed_test_is_named_at_the_beginning_of_a_line(
    shipped: Shipped, sandbox: BubblewrapSandbox
) -> None:
    wrong = shipped.made(sandbox).check(shipped.case, shipped.wrong)

    before_a_colon = {line.partition(": ")[0] for line in wrong.detail.splitlines() if ": " in line}
    named = {name for name in before_a_colon if is_test_name(name, shipped.case.expectations)}
    assert len(named) == (wrong.facts.tests_failed or 0), wrong.detail


@each_checker
def test_the_same_answer_gives_the_same_outcome_from_many_threads(
    shipped: Shipped, sandbox: BubblewrapSandbox
) -> None:
    checker = shipped.made(sandbox)
    answers = [shipped.right, shipped.wrong] * 3

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda answer: timeless(checker.check(shipped.case, answer)), answers))

    assert len(set(map(repr, found[::2]))) == 1
    assert len(set(map(repr, found[1::2]))) == 1
    assert found[0] != found[1]


@each_checker
@pytest.mark.parametrize("answer", ["", "  \n", "I am sorry, but I would rather not do that."])
def test_an_answer_without_anything_to_check_has_the_wrong_format(
    shipped: Shipped, answer: str, sandbox: BubblewrapSandbox
) -> None:
    kind = shipped.made(sandbox).check(shipped.case, answer).facts.classification

    is_text = shipped.runs_nothing and answer.strip()
    assert kind in (
        {Classification.FAIL} if is_text else {Classification.WRONG_FORMAT, Classification.REFUSAL}
    )


@pytest.mark.parametrize(
    "shipped", [one for one in SHIPPED if not one.runs_nothing], ids=lambda shipped: shipped.name
)
def test_a_sandbox_that_fails_is_never_the_answers_fault(shipped: Shipped) -> None:
    outcome = shipped.made(BrokenSandbox()).check(shipped.case, shipped.right)

    assert outcome.facts.classification is Classification.ERROR
    assert "no sandbox today" in outcome.detail


@each_checker
def test_a_check_leaves_nothing_open(shipped: Shipped, sandbox: BubblewrapSandbox) -> None:
    checker = shipped.made(sandbox)
    checker.check(shipped.case, shipped.right)
    before = (open_descriptors(), mounts())

    for _ in range(3):
        checker.check(shipped.case, shipped.wrong)

    assert (open_descriptors(), mounts()) == before
