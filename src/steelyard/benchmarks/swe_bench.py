"""SWE-bench Verified: issues of real repositories. Data only: each task needs its own image."""

from collections.abc import Iterable, Iterator

from steelyard.benchmarks.answers import fenced
from steelyard.model.benchmark import Benchmark, BenchmarkFile, Protocol, ProtocolKind, Record
from steelyard.model.case import Case

TASK = "Answer with one unified diff that resolves this issue of"


def cases(records: Iterable[Record], protocol: ProtocolKind) -> Iterator[Case]:
    """Convert records to cases with prompt and reference patch, without tests."""
    del protocol
    for record in records:
        yield Case(
            id=record["instance_id"],
            suite=record["repo"],
            prompt=f"{TASK} {record['repo']} at {record['base_commit']}.\n\n{record['problem_statement']}",
            language="text",
            tags=(f"date:{record['created_at'][:10]}", record["difficulty"]),
            reference=fenced(record["patch"], "diff"),
        )


BENCHMARK = Benchmark(
    name="swe-bench-verified",
    version="v5",
    tasks=500,
    languages=("python",),
    licence="MIT; patches are of their projects",
    address="hub:SWE-bench/SWE-bench_Verified",
    revision="91aa3ed51b709be6457e12d00300a6a596d4c6a3",
    files=(
        BenchmarkFile(
            path="SWE-bench_Verified.jsonl.gz",
            sha256="3e301922cc2d31511bf2acd26d9c76c29cb6abf3d1855d7d5d650fbd33b11080",
        ),
    ),
    protocol=Protocol(
        name="SWE-bench",
        prompt="the issue, and which commit of which repository",
        extraction="a unified diff",
        tests="FAIL_TO_PASS and PASS_TO_PASS, in an image for each task",
        limits="1,800 s",
        comparison="the results of the repository's own tests",
        passes="all of FAIL_TO_PASS pass, and all of PASS_TO_PASS pass or are skipped",
    ),
    cases=cases,
    needs="a copy of your own as JSON lines; an image for each task: data only",
    only_data=True,
)
