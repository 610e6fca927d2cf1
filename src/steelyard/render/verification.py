"""Write what the verification of benchmarks came to, as a page in Markdown with a section for each."""

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
LONGEST = 160  # letters of a message


def with_verification(page: str, found: Verification, *, note: str = "") -> str:
    """Return a page in which the section of this benchmark is fresh; the others stay as they are."""
    sections = {match.splitlines()[0]: match.rstrip() for match in SECTION.findall(page)}
    fresh = verification_section(found, note)
    sections[fresh.splitlines()[0]] = fresh
    return "\n\n".join([HEAD.rstrip(), *sections.values()]) + "\n"


def verification_section(found: Verification, note: str = "") -> str:
    """Return what is said about one benchmark."""
    about, run = found.benchmark, found.run
    by = f"{GENERATOR} ({note})" if note else GENERATOR
    source = f"{run.version}, {about.protocol.name} protocol, {run.kind}; {about.licence}."
    tasks = f"{run.tasks} of {run.of_tasks} tasks."
    share = f"{found.passing} of {found.references} references pass"
    lines = [
        f"## {run.name}",
        "",
        f"{source} {tasks} {share}, {found.seconds} s by {by}. Answers that do nothing: {_empty(found)}.",
    ]
    if found.failing:
        lines += ["", "| reference that fails | why |", "|---|---|"]
        lines += [
            f"| `{reference.case}` | {reference.reason or _cell(f'{reference.kind}: {reference.detail}')} |"
            for reference in found.failing
        ]
    if found.passing_empty:
        lines += ["", f"Answers that do nothing pass: {', '.join(found.passing_empty)}."]
    return "\n".join(lines)


def _empty(found: Verification) -> str:
    return f"{found.empty - len(found.passing_empty)} of {found.empty} fail" if found.empty else "not checked"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:LONGEST]
