"""Render the verification of benchmarks as a Markdown page with a section for each."""

import re

from steelyard.model.benchmark import Verification
from steelyard.model.version import GENERATOR

HEAD = """# Benchmarks

The references of each benchmark, run through the checker that grades the answers. `steelyard benchmarks
verify NAME -o docs/reference/benchmarks.md` writes a section. No text of a benchmark is part of Steelyard.
`steelyard benchmarks show NAME` prints data sources and protocol: prompt, tests, limits, comparison.
[Run HumanEval+](../tutorial/humaneval-plus.md) shows a run.
"""
SECTION = re.compile(r"^## .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LONGEST = 160  # characters of a message


def with_verification(page: str, verification: Verification, *, note: str = "") -> str:
    """Return the page with the section of this benchmark replaced."""
    sections = {match.splitlines()[0]: match.rstrip() for match in SECTION.findall(page)}
    fresh = verification_section(verification, note)
    sections[fresh.splitlines()[0]] = fresh
    return "\n\n".join([HEAD.rstrip(), *sections.values()]) + "\n"


def verification_section(verification: Verification, note: str = "") -> str:
    """Return the section of one benchmark."""
    benchmark, run = verification.benchmark, verification.run
    by = f"{GENERATOR} ({note})" if note else GENERATOR
    source = f"{run.version}, {benchmark.protocol.name} protocol, {run.kind}; {benchmark.licence}."
    tasks = f"{run.tasks} of {run.of_tasks} tasks."
    share = f"{verification.passing} of {verification.references} references pass"
    empty = f"Empty answers: {_empty(verification)}."
    lines = [
        f"## {run.name}",
        "",
        f"{source} {tasks} {share}, {verification.seconds} s by {by}. {empty}",
    ]
    if verification.failing:
        lines += ["", "| reference that fails | why |", "|---|---|"]
        lines += [
            f"| `{reference.case}` | {reference.reason or _cell(f'{reference.kind}: {reference.detail}')} |"
            for reference in verification.failing
        ]
    if verification.passing_empty:
        lines += ["", f"Empty answers pass: {', '.join(verification.passing_empty)}."]
    return "\n".join(lines)


def _empty(verification: Verification) -> str:
    return (
        f"{verification.empty - len(verification.passing_empty)} of {verification.empty} fail"
        if verification.empty
        else "not checked"
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:LONGEST]
