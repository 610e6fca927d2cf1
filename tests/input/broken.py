"""Describe a broken input: which files to write, what to type, and what the message must say.

Every input is built by a few lines of code, so that one can read what is wrong with it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

# What is large or takes time to make is made only when its test runs.
Content: TypeAlias = str | bytes | Callable[[], str | bytes]

HEADER = "model,case,attempt,passed\n"
ROW = "a,c,0,True\n"
OUTCOMES = "outcomes.csv"


def nothing(_: Path) -> None:
    """Add nothing to the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One broken input; `where` is the place the message must name, `says` what else it must hold."""

    name: str
    where: str
    says: tuple[str, ...]
    argv: tuple[str, ...] = ("score", OUTCOMES)
    files: Mapping[str, Content] = field(default_factory=dict)
    prepare: Callable[[Path], None] = nothing

    def write(self, folder: Path) -> None:
        """Write the files into a folder."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            made = content() if callable(content) else content
            path.write_bytes(made if isinstance(made, bytes) else made.encode())
        self.prepare(folder)


def of_file(name: str, content: Content, where: str, *says: str, file: str = OUTCOMES) -> Broken:
    """Return an outcome file that cannot be scored; `where` is what follows the file's name."""
    return Broken(
        name=name, files={file: content}, argv=("score", file), where=f"error: {file}{where}", says=says
    )


def of_value(column: str, value: str, *says: str) -> Broken:
    """Return an outcome file whose second row holds a bad value in one column."""
    good = "pass" if column == "classification" else "1"
    content = f"{HEADER.strip()},{column}\na,c,0,True,{good}\na,c,1,True,{value}\n"
    where = f", row 2: column '{column}' is "
    return of_file(f"{column} = {value[:30]}", content, where, repr(value), *says)


def of_options(name: str, *argv: str, where: str, says: str, content: str = HEADER + ROW) -> Broken:
    """Return a good outcome file with options that do not fit it."""
    return Broken(
        name=name,
        files={OUTCOMES: content},
        argv=("score", OUTCOMES, *argv),
        where=f"error: {where}",
        says=(says,),
    )
