"""An error is ours only if a known answer's check breaks too."""

from collections.abc import Callable

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.checks.known_answers import known_answer
from steelyard.languages.lookup import LANGUAGES
from steelyard.model.case import Case, Expectations
from steelyard.model.outcome import Classification, Facts, Outcome
from steelyard.model.sample import Sample
from steelyard.runner.check.checking import Checking
from steelyard.runner.check.proof import OWN_DOING, proven
from steelyard.runner.tally import SubjectTally, Tally
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from tests.runner.broken import BrokenSandbox

CASE = Case(id="a", language="python", reference="the reference")
ERROR = Outcome(facts=Facts(classification=Classification.ERROR), detail="no such folder")
FAIL = Outcome(facts=Facts(classification=Classification.FAIL))
AWS = 'resource "aws_vpc" "v" {\n  cidr_block = "10.0.0.0/16"\n}\n'
REMOTE = 'module "v" {\n  source = "terraform-aws-modules/vpc/aws"\n}\n'


def sample(text: str) -> Sample:
    return Sample(model="m", tier="T0", suite="s", case="a", digest="d", attempt=0, text=text)


def answers(*outcomes: Outcome) -> Callable[[str], Outcome]:
    """Return a check that gives one outcome after the other, and fails a test that asks once too often."""
    left = list(outcomes)
    return lambda _: left.pop(0)


def test_an_answer_that_breaks_only_its_own_check_fails() -> None:
    found = proven(CASE, "bad", answers(ERROR, ERROR), answers(FAIL))

    assert found.facts == Facts(classification=Classification.CRASH, passed=False)
    assert found.detail == f"{OWN_DOING}\nno such folder"
    assert found.broke_its_check


def test_an_error_that_a_known_answer_meets_too_is_ours() -> None:
    assert proven(CASE, "good", answers(ERROR), answers(ERROR)) is ERROR


def test_an_error_that_goes_away_by_itself_is_nobodys() -> None:
    assert proven(CASE, "good", answers(ERROR, FAIL), answers(FAIL)) is FAIL


def test_a_check_that_works_is_made_once() -> None:
    assert proven(CASE, "good", answers(FAIL), answers()) is FAIL


def test_the_reference_of_the_case_is_the_known_answer() -> None:
    assert known_answer(CASE) == "the reference"


@pytest.mark.parametrize("language", [*(language.name for language in LANGUAGES), "lua", "text"])
def test_there_is_a_known_answer_where_a_case_has_no_reference(language: str) -> None:
    assert "probe" in known_answer(Case(id="a", language=language)).lower()


@pytest.mark.parametrize(
    ("original", "answer"),
    [
        ('resource "aws_vpc" "v" {\n  cidr_blok = "10.0.0.0/16"\n}\n', AWS),
        ('resource "aws_vpc" "v" {\n  cidr_block = "10.0.0.0/16"\n', AWS),
        ('module "v" {\n  source = "terraform-aws-modules/vpc/aws"\n', REMOTE),
    ],
    ids=["a wrong argument", "a missing brace", "a remote module"],
)
def test_what_a_terraform_project_needs_and_this_machine_lacks_is_our_error(
    original: str, answer: str
) -> None:
    case = Case(id="a", language="terraform", files={"main.tf": original})

    found = Checking(BubblewrapSandbox()).outcome(case, sample(f"```hcl\n{answer}```\n"))

    assert found.facts.classification is Classification.ERROR, found.detail


def test_a_terraform_answer_that_asks_for_more_than_its_project_is_to_blame() -> None:
    case = Case(id="a", language="terraform", files={"main.tf": "locals {\n  n = \n}\n"})

    found = Checking(BubblewrapSandbox()).outcome(case, sample(f"```hcl\n{AWS}```\n"))

    assert found.facts.classification is Classification.BUILD_ERROR


def test_the_known_answer_in_terraform_is_the_file_with_the_fences_it_holds() -> None:
    text = 'output "o" {\n  value = <<E\n```hcl\nx\n```\nE\n}\n'
    case = Case(id="a", language="terraform", files={"a/b.tf": text})

    assert extract(known_answer(case), "terraform").code == text


def test_a_broken_sandbox_stays_our_own_error() -> None:
    case = Case(id="a", language="c", expectations=Expectations(tests="TEST(a) { CHECK(1); }"))

    found = Checking(BrokenSandbox()).outcome(case, sample("```c\nint a;\n```"))

    assert found.facts.classification is Classification.ERROR
    assert "the sandbox is broken" in found.detail


@pytest.mark.parametrize(("groups", "limited"), [(True, find_cgroups() is not None), (False, False)])
def test_an_outcome_reports_that_memory_was_not_limited(*, groups: bool, limited: bool) -> None:
    case = Case(id="a", language="text", expectations=Expectations(settings={"contains": "yes"}))

    outcome = Checking(BubblewrapSandbox(groups=groups)).outcome(case, sample("yes"))

    assert outcome.memory_limited is limited
    assert ("memory: not limited" in outcome.detail) is not limited


def test_answers_that_broke_their_check_are_counted() -> None:
    tally = Tally({("m", "T0"): SubjectTally(planned=1)})

    tally.add_outcome(sample(""), proven(CASE, "bad", answers(ERROR, ERROR), answers(FAIL)), passed=False)

    counts = tally.snapshot()["m", "T0"]
    assert (counts.broke_their_check, counts.checked, counts.errored) == (1, 1, 0)
