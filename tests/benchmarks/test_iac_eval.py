"""Configurations of AWS are validated and planned by Terraform with the provider, which is mocked."""

import os
from pathlib import Path

import pytest

from steelyard.benchmarks import iac_eval
from steelyard.checks.toolchains.terraform.checker import TerraformChecker
from steelyard.checks.toolchains.terraform.tool import PROVIDERS_ENV
from steelyard.model.benchmark import ProtocolKind
from steelyard.model.case import Case
from steelyard.model.outcome import Classification
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

HEAD = """
terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
  }
  required_version = "~> 1.9.8"
}

provider "aws" {
  region = "us-east-1"
}
"""
REFERENCE = """
data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
  }
}

data "aws_availability_zones" "here" {}

resource "aws_iam_role" "own" {
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_subnet" "own" {
  vpc_id            = "vpc-1"
  cidr_block        = "10.0.0.0/24"
  availability_zone = data.aws_availability_zones.here.names[1]
}
"""
has_provider = pytest.mark.skipif(
    not Path(os.environ.get(PROVIDERS_ENV, "/nowhere"), "registry.terraform.io/hashicorp/aws").is_dir(),
    reason=f"{PROVIDERS_ENV} names no folder with the AWS provider",
)


def case_of(reference: str) -> Case:
    row = {
        "Prompt": "A role and a subnet.",
        "Difficulty": "1",
        "Resource": "aws_iam_role, aws_subnet",
        "Reference output": reference,
    }
    (case,) = iac_eval.cases([row], ProtocolKind.OFFICIAL)
    return case


def test_a_row_becomes_a_case_of_terraform_that_asks_for_no_version_of_it() -> None:
    case = case_of(HEAD + REFERENCE)

    assert (case.language, case.tags) == ("terraform", ("aws_iam_role", "aws_subnet"))
    assert "required_version" not in (case.reference or "")


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ('module "vpc" {}\n', "a module of the registry"),
        ('data "archive_file" "zip" {}\n', "another provider"),
        ('    version = "~> 4.16"\n', "an older release of the provider"),
        ('  source_code_hash = filebase64sha256("app.zip")\n', "files beside it"),
    ],
)
def test_a_task_whose_reference_needs_more_than_the_provider_says_so(text: str, needed: str) -> None:
    assert f"needs:{needed}" in case_of(REFERENCE + text).tags


def test_without_the_provider_no_answer_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PROVIDERS_ENV, raising=False)
    case = case_of(REFERENCE)

    outcome = TerraformChecker(BubblewrapSandbox()).check(case, case.reference or "")

    assert outcome.facts.classification is Classification.ERROR


@has_provider
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (HEAD.replace('  required_version = "~> 1.9.8"\n', "") + REFERENCE, Classification.PASS),
        (REFERENCE.replace("cidr_block ", "cidr_blok "), Classification.BUILD_ERROR),
        # Valid, and yet there is no plan: a name of a zone that there is not.
        (REFERENCE.replace("names[1]", "names[7]"), Classification.FAIL),
    ],
)
def test_an_answer_passes_if_it_is_valid_and_can_be_planned(answer: str, kind: Classification) -> None:
    outcome = TerraformChecker(BubblewrapSandbox()).check(case_of(REFERENCE), f"```hcl\n{answer}```")

    assert outcome.facts.classification is kind, outcome.detail
