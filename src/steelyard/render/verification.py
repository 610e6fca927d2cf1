"""Write what the verification of benchmarks came to, as a page in Markdown with a section for each."""

import re

from steelyard.model.benchmark import Verification
from steelyard.model.version import GENERATOR

HEAD = """# Benchmarks

Written by `steelyard benchmarks verify NAME -o docs/reference/benchmarks.md`: the references of each
benchmark went through the real checker. No text of a benchmark is part of Steelyard. `steelyard benchmarks
show NAME` says more, and [HumanEval+ in five minutes](../tutorial/humaneval-plus.md) how to run one.
"""
SECTION = re.compile(r"^## .*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
LONGEST = 160  # letters of a message


def with_verification(page: str, found: Verification, *, note: str = "") -> str:
    """Return a page in which the section of this benchmark is fresh; the others stay as they are."""
    sections = {one.splitlines()[0]: one.rstrip() for one in SECTION.findall(page)}
    fresh = verification_section(found, note)
    sections[fresh.splitlines()[0]] = fresh
    return "\n\n".join([HEAD.rstrip(), *sections.values()]) + "\n"


def verification_section(found: Verification, note: str = "") -> str:
    """Return what is said about one benchmark."""
    about, run = found.benchmark, found.run
    by = f"{GENERATOR} ({note})" if note else GENERATOR
    share = f"{found.passing} of {found.references} references pass"
    lines = [
        f"## {run.name}",
        "",
        f"{run.version}, {about.protocol.name} protocol, {run.kind}; {about.licence}.",
        "",
        "| | |",
        "|---|---|",
        f"| tasks | {run.tasks} of {run.of_tasks} |",
        f"| references | {share}, {found.seconds} s by {by} |",
        f"| answers that do nothing | {_empty(found)} |",
        f"| prompt | {about.protocol.prompt} |",
        f"| tests | {about.protocol.tests} |",
        f"| limits | {about.protocol.limits} |",
        f"| comparison | {about.protocol.comparison} |",
        f"| passes | {about.protocol.passes} |",
        *([f"| strict | {about.protocol.strict} |"] if about.protocol.strict else []),
        *([f"| needs | {about.needs} |"] if about.needs else []),
    ]
    if found.failing:
        lines += ["", "| reference that fails | why |", "|---|---|"]
        lines += [
            f"| `{one.case}` | {one.reason or _cell(f'{one.kind}: {one.detail}')} |" for one in found.failing
        ]
    if found.passing_empty:
        lines += ["", f"Answers that do nothing pass: {', '.join(found.passing_empty)}."]
    return "\n".join(lines)


def _empty(found: Verification) -> str:
    return f"{found.empty - len(found.passing_empty)} of {found.empty} fail" if found.empty else "not checked"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:LONGEST]
