"""What a project asks a machine for: the providers that its blocks name, and no others."""

import pytest

from steelyard.checks.toolchains.terraform.requirements import requirements
from steelyard.checks.toolchains.terraform.workspace import Workspace

LISTED = (
    "terraform {\n  required_providers {\n    google-beta = {\n"
    '      source = "hashicorp/google-beta"\n    }\n  }\n}\n'
)


@pytest.mark.parametrize(
    ("code", "providers"),
    [
        ('resource "google_x" "a" {\n}\n', {"google"}),
        (LISTED + 'resource "google_x" "a" {\n  provider = google-beta\n}\n', {"google-beta"}),
        ('data "aws_x" "a" {\n  provider = aws.west\n}\n', {"aws"}),
        ('ephemeral "random_password" "p" {\n  length = 8\n}\n', {"random"}),
        ('provider "null" {\n}\n', {"null"}),
        ('resource "aws_x" "a" {\n  inner {\n    provider = "no name"\n  }\n', {"aws"}),
        ('resource "terraform_data" "a" {\n}\n', set()),
    ],
)
def test_a_provider_is_asked_for_by_the_name_that_counts(code: str, providers: set[str]) -> None:
    found = requirements(Workspace(files={"main.tf": code.encode()}))

    text = "" if found is None else found.code("main.tf")
    assert {line.split("/")[1].strip('"') for line in text.splitlines() if "source" in line} == providers
