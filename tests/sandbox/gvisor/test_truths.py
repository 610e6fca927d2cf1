"""Every checker finds in gVisor what it finds in the other sandboxes; `truths.py` tries all answers."""

from collections.abc import Iterator

import pytest

from steelyard.model.outcome import Classification
from steelyard.runner.check.checkers import Checkers
from steelyard.sandbox.gvisor.sandbox import GvisorSandbox
from tests.sandbox.conftest import skip_without_rights
from tests.sandbox.gvisor.truths import Truth, patient, truths

LANGUAGES = (
    *("python", "rust", "terraform", "c", "cpp", "cmake", "javascript", "typescript", "java", "go", "text"),
    *("calls python", "calls javascript", "io python"),
)
ALSO_WRONG = ("python", "c", "javascript", "text")


def first_of(kind: Classification) -> dict[str, Truth]:
    """Return for each language the first answer that must end so."""
    return {truth.language: patient(truth) for truth in reversed([*truths()]) if truth.kinds == {kind}}


RIGHT, WRONG = first_of(Classification.PASS), first_of(Classification.FAIL)
CHOSEN = [*(RIGHT[name] for name in LANGUAGES), *(WRONG[name] for name in ALSO_WRONG)]


@pytest.fixture(scope="module")
def checkers() -> Iterator[Checkers]:
    skip_without_rights("gvisor")
    sandbox = GvisorSandbox()
    yield Checkers(sandbox)
    sandbox.close()


@pytest.mark.parametrize("truth", CHOSEN, ids=lambda truth: f"{truth.language}: {truth.name}")
def test_an_answer_gets_what_it_deserves(truth: Truth, checkers: Checkers) -> None:
    outcome = checkers.of(truth.case).check(truth.case, truth.answer)

    assert truth.holds(outcome), outcome
