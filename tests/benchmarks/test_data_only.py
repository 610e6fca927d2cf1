"""Benchmarks whose answers cannot be checked yet give their cases all the same."""

from steelyard.benchmarks import swe_bench
from steelyard.model.benchmark import ProtocolKind


def test_an_issue_becomes_a_case_with_the_patch_that_resolved_it() -> None:
    record = {
        "instance_id": "own__own-1",
        "repo": "own/own",
        "base_commit": "abc",
        "problem_statement": "It fails.",
        "created_at": "2024-05-06T07:08:09Z",
        "difficulty": "<15 min fix",
        "patch": "--- a/x\n+++ b/x\n",
    }

    (case,) = swe_bench.cases([record], ProtocolKind.OFFICIAL)

    assert "own/own at abc" in case.prompt
    assert "date:2024-05-06" in case.tags
    assert case.reference == "```diff\n--- a/x\n+++ b/x\n```\n"
