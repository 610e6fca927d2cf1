"""Find the folder of crates of this machine, which `cargo vendor` makes, and what is in it."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from steelyard.errors import InfrastructureError
from steelyard.model.case import Case
from steelyard.model.sample import text_digest

FOLDER_ENV = "STEELYARD_CARGO_VENDOR"
VENDOR = "vendor"  # where crates lie among the files of a case
DESCRIBING = ("Cargo.toml", ".cargo-checksum.json")  # the second names the content of every file


def vendor_folder() -> Path | None:
    """Return the folder that the variable names, if it names one; raises where that is not there."""
    named = os.environ.get(FOLDER_ENV)
    if named and not Path(named).is_dir():
        raise InfrastructureError(f"{named}: no such folder; {FOLDER_ENV} names it for crates of Rust")
    return Path(named) if named else None


def vendor_digest(folder: Path) -> str:
    """Return a name for the content of a folder of crates; where it lies is no part of it."""
    described = [
        [file.parent.name, file.name, text_digest(file.read_text(encoding="utf-8"))]
        for name in DESCRIBING
        for file in sorted(folder.glob(f"*/{name}"))
    ]
    return text_digest(json.dumps(described))


def is_rust(case: Case) -> bool:
    """Whether answers to a case are in Rust.

    >>> is_rust(Case(id="a", language="rs")), is_rust(Case(id="b", language="python"))
    (True, False)
    """
    return case.language in {"rust", "rs"}


def crates_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the crates that answers in Rust may use, each once."""
    return tuple(dict.fromkeys(one.name for case in cases if is_rust(case) for one in case.dependencies))


def missing_crates(cases: Iterable[Case], folder: Path | None) -> tuple[str, ...]:
    """Return the crates that are neither among the files of their case nor in the folder, each once."""
    wanted = (
        one.name
        for case in cases
        if is_rust(case)
        for one in case.dependencies
        if f"{VENDOR}/{one.name}/Cargo.toml" not in case.files
    )
    return tuple(name for name in dict.fromkeys(wanted) if folder is None or not _has(folder, name))


def _has(folder: Path, name: str) -> bool:
    """Whether a crate is there; `cargo vendor` adds the version to the name where it must, or is asked to."""
    return any((one / "Cargo.toml").is_file() for one in (folder / name, *folder.glob(f"{name}-[0-9]*")))
