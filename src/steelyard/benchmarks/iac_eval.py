"""IaC-Eval: Terraform configurations for AWS, validated and planned without credentials.

Plans use a mocked AWS provider: no request reaches AWS. The rows' Rego rules are not evaluated. Tasks are
excluded if their reference needs more than the AWS provider.
"""

import re
from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case, Expectations

TIMEOUT_S, MEMORY_MB = 120.0, 4096
# The project requires the provider itself: if it is missing, the check fails and not the answer.
PROVIDER_USE = {"steelyard.tf": 'data "aws_region" "steelyard" {}\n'}
# Other arguments depend on these data sources; a mock would return random values.
PLAN = """
mock_provider "aws" {
  mock_data "aws_availability_zones" {
    defaults = {
      names    = ["us-east-1a", "us-east-1b", "us-east-1c"]
      zone_ids = ["use1-az1", "use1-az2", "use1-az3"]
    }
  }
  mock_data "aws_caller_identity" {
    defaults = { account_id = "123456789012" }
  }
  mock_data "aws_iam_policy_document" {
    defaults = { json = "{\\"Version\\": \\"2012-10-17\\", \\"Statement\\": []}" }
  }
  mock_data "aws_region" {
    defaults = { name = "us-east-1" }
  }
}

run "plans" {
  command = plan
}
"""
# Requirements detected in a reference, beyond the AWS provider in release 5.
REQUIREMENTS = {
    "a module of the registry": r'(?m)^\s*module\s+"',
    "another provider": r'(?m)^\s*(?:resource|data)\s+"(?!aws_)',
    "another configuration of the provider": r"(?m)^\s*alias\s*=",
    "an older release of the provider": r'version\s*=\s*"~> [1-4]\.',
    "files beside it": r"\b(?:file|fileset|filemd5|filebase64\w*|templatefile)\(",
    "a program": r"(?:local|remote)-exec",
}
VERSION = re.compile(r"(?m)^\s*required_version\s*=.*\n")


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert rows to cases; drop the references' constraints to old Terraform versions."""
    del protocol
    for number, record in enumerate(records):
        reference = VERSION.sub("", record["Reference output"])
        requirements = [name for name, pattern in REQUIREMENTS.items() if re.search(pattern, reference)]
        yield Case(
            id=f"iac-eval/{number}",
            suite=f"difficulty {record['Difficulty']}",
            prompt=f"{record['Prompt']}\n\nAnswer with the whole configuration in one `hcl` code block.",
            language="terraform",
            timeout_s=TIMEOUT_S,
            memory_mb=MEMORY_MB,
            files=PROVIDER_USE,
            tags=(*_read_resources(record), *(f"needs:{name}" for name in requirements)),
            expectations=Expectations(tests=PLAN, settings={"file": "main.tf"}),
            reference=fenced(reference, "hcl"),
        )


def _read_resources(record: Record) -> tuple[str, ...]:
    return tuple(part.strip() for part in record["Resource"].split(","))


BENCHMARK = Benchmark(
    name="iac-eval",
    version="2024-06",
    tasks=458,
    languages=("terraform",),
    licence="MIT",
    address="https://raw.githubusercontent.com/MFAaaaaaa/IaCForge/{revision}/data/complete",
    revision="151b7eca4fa26485cf196e7d5817116d324b1f4e",
    files=(
        BenchmarkFile(
            path="data.csv",
            sha256="f9be349e27595efa2bc362fb46917c4fcdd939dc5173a593c1efef2c3e59335f",
        ),
    ),
    protocol=Protocol(
        name="IaC-Eval, plannable only",
        prompt="the text of the row, and a sentence of ours",
        extraction="Steelyard's own: the code block",
        tests="`terraform validate`, then a plan with a mocked provider of AWS, without credentials",
        limits="120 s for each of both; 4 GiB",
        comparison="none: the rules of the row in Rego are not evaluated",
        passes="the plan of AWS satisfies the rules in Rego; here, it is enough that there is a plan",
    ),
    cases=cases,
    needs="Terraform 1.7 or later, and the AWS provider where STEELYARD_TERRAFORM_PROVIDERS says",
)
