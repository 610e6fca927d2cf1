"""Every kind of answer gets the facts it deserves, whatever it looks like."""

import re

import pytest

from steelyard.checks.toolchains.terraform.checker import TerraformChecker
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.checks.toolchains.terraform.cases import CASES
from tests.checks.toolchains.terraform.truth import TRUTHS, Truth


@pytest.fixture(scope="module")
def checker() -> TerraformChecker:
    return TerraformChecker(BubblewrapSandbox())


def test_the_corpus_is_large_and_every_name_stands_once() -> None:
    assert len({truth.name for truth in TRUTHS}) == len(TRUTHS) >= 60


@pytest.mark.parametrize("truth", TRUTHS, ids=lambda truth: f"{truth.kind}: {truth.name}")
def test_the_facts_are_those_of_the_corpus(truth: Truth, checker: TerraformChecker) -> None:
    outcome = checker.check(CASES[truth.case], truth.answer)

    facts = outcome.facts
    assert facts.classification is truth.kind, outcome.detail
    assert truth.errors in {None, facts.diagnostic_errors}, outcome.detail
    assert truth.warnings in {None, facts.diagnostic_warnings}, outcome.detail
    assert truth.tests in {None, (facts.tests_passed, facts.tests_failed)}, outcome.detail
    assert outcome.check_digest
    assert len(outcome.detail) <= 4200
    if truth.tests is not None and facts.tests_failed:
        named = re.findall(r"^\w+: (?:fail|error|skip|no result|pending)$", outcome.detail, re.MULTILINE)
        assert len(named) == facts.tests_failed
