"""IaC-Eval: configurations of AWS for Terraform; data only, since checking them needs the AWS provider."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case

TIMEOUT_S = 120.0


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Turn rows into cases that must be valid; what Rego says of a plan is not checked."""
    del protocol
    for number, record in enumerate(records):
        yield Case(
            id=f"iac-eval/{number}",
            suite=f"difficulty {record['Difficulty']}",
            prompt=f"{record['Prompt']}\n\nAnswer with the whole configuration in one `hcl` code block.",
            language="terraform",
            timeout_s=TIMEOUT_S,
            tags=tuple(part.strip() for part in record["Resource"].split(",")),
            reference=fenced(record["Reference output"], "hcl"),
        )


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
        name="IaC-Eval",
        prompt="the text of the row, and a sentence of ours",
        extraction="Steelyard's own: the code block",
        tests="a plan by Terraform with credentials of AWS, and rules of the row in Rego about it",
        limits="120 s",
        comparison="the rules in Rego",
        passes="the configuration can be planned, and the plan satisfies the rules",
    ),
    cases=cases,
    needs="Terraform, the AWS provider and credentials: data only",
    only_data=True,
)
