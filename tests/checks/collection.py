"""All planted attacks on a grade, by language and form: the one list that is counted.

`python -m tests.checks.collection` prints the table in docs/explanation/trust.md.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from steelyard.checks.preparation import integrity_of
from steelyard.model.outcome import Classification, Integrity
from tests.checks.forms.calls.attacks import ATTACKS as CALLS
from tests.checks.forms.io.attacks import ATTACKS as PROGRAMS
from tests.checks.forms.judge.attacks import ATTACKS as ON_JUDGES
from tests.checks.forms.tests.collection import AVOIDABLE, STOPPED, UNSTOPPABLE
from tests.checks.forms.text.attacks import ATTACKS as TEXTS
from tests.checks.toolchains.python.corpus import ATTACKS as PYTHON
from tests.checks.toolchains.python.corpus import FORGING, LISTED
from tests.checks.toolchains.rust.forgeries import FORGED as FORGED_RUST
from tests.checks.toolchains.rust.test_attacks import ATTACKS as RUST
from tests.checks.toolchains.terraform.attacks import ATTACKS as TERRAFORM

SEALED, OPEN, PASS = Integrity.SEALED, Integrity.OPEN, Classification.PASS
NAMES = {"c": "C", "cpp": "C++", "cmake": "C++ by CMake", "go": "Go", "java": "Java", "rust": "Rust"} | {
    "javascript": "JavaScript",
    "typescript": "TypeScript",
    "python": "Python",
}
# Tested projects share a sandbox with their tests.
SHARED_PROJECTS = frozenset({"tested", "tested-freely"})


class Entry(NamedTuple):
    """An attack: in which language, on which form of a check, and whether it is known to succeed."""

    language: str
    form: str
    integrity: Integrity | None
    name: str
    passes: bool = False  # whether the answer may pass, such as a right one that tries for more
    succeeds: bool = False


def entries() -> Iterator[Entry]:
    """Give every attack there is."""
    yield from _on_python_tests()
    for call in CALLS:
        yield Entry(NAMES[call.language], "calls", SEALED, call.name, PASS in call.kinds)
    for program in PROGRAMS:
        yield Entry(NAMES[program.language], "io", SEALED, program.name, PASS in program.kinds)
    for planted in (*STOPPED, *UNSTOPPABLE):
        how, _, recipe = planted.recipe.rpartition(" ")
        form, integrity = ("io", SEALED) if "io" in how else ("tests", OPEN)
        won = planted in UNSTOPPABLE
        yield Entry(NAMES[recipe], form, integrity, planted.name, planted.kind is PASS, won)
    for careless in AVOIDABLE:
        yield Entry(NAMES[careless.recipe], "tests", OPEN, careless.name, passes=True, succeeds=True)
    for rust in (*RUST, *FORGED_RUST):
        passes = rust.facts.classification is PASS
        yield Entry("Rust", "tests", OPEN, rust.what, passes, rust in FORGED_RUST)
    for project in TERRAFORM:
        integrity = OPEN if project.case in SHARED_PROJECTS else SEALED
        form = "tests" if integrity is OPEN else "validation"
        yield Entry("Terraform", form, integrity, project.tries, project.kind is PASS)
    for text in TEXTS:
        yield Entry("text", text.form, SEALED, text.name, text.kind is PASS)
    for name in ON_JUDGES:
        yield Entry("text", "judges", None, name)


def _on_python_tests() -> Iterator[Entry]:
    for python in PYTHON:
        reason = LISTED.get(python.name)
        # Without a reference, an answer that returns objects is compared inside, whatever its case promises.
        integrity = Integrity(reason) if reason in FORGING else integrity_of("python", python.case)
        yield Entry("Python", "tests", integrity, python.name, reason is not None, reason in FORGING)


def table() -> str:
    """Return how many attacks there are, as the page says it."""
    found = list(entries())
    rows = Counter((entry.language, entry.form, entry.integrity) for entry in found)
    won = Counter((entry.language, entry.form, entry.integrity) for entry in found if entry.succeeds)
    lines = [
        f"| {language} | {form} | {integrity or 'null'} | {count} | {won[language, form, integrity] or ''} |"
        for (language, form, integrity), count in sorted(
            rows.items(), key=lambda row: (row[0][0] == "text", row[0][0].lower(), row[0][1])
        )
    ]
    total = f"| **all** | | | **{len(found)}** | **{sum(won.values())}** |"
    head = "| language | form | integrity | attacks | of these known to succeed |\n|---|---|---|---:|---:|"
    return "\n".join((head, *lines, total)) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table())
