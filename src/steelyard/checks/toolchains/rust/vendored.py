"""Find the folder of crates of this machine, which `cargo vendor` makes, and what is in it."""

import json
import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from steelyard.errors import InfrastructureError
from steelyard.model.case import Case, Dependency
from steelyard.model.sample import text_digest

FOLDER_ENV = "STEELYARD_CARGO_VENDOR"
VENDOR = "vendor"  # where crates lie among the files of a case
PLAIN = re.compile(r"\d+(?:\.\d+){0,2}")
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
    return case.language == "rust"


def crates_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the crates that answers in Rust may use, each once."""
    return tuple(
        dict.fromkeys(dependency.name for case in cases if is_rust(case) for dependency in case.dependencies)
    )


def missing_crates(cases: Iterable[Case], folder: Path | None) -> tuple[str, ...]:
    """Return the crates that are neither among the files of their case nor in the folder, each once."""
    requested = (
        dependency
        for case in cases
        if is_rust(case)
        for dependency in case.dependencies
        if f"{VENDOR}/{dependency.name}/Cargo.toml" not in case.files
    )
    return tuple(
        dict.fromkeys(
            f"{item.name} {item.version}" for item in requested if folder is None or not _has(folder, item)
        )
    )


def fits(version: str, wanted: str) -> bool:
    """Whether cargo takes a version for a plain wish such as `1.2`; rules of other forms are left to cargo.

    >>> fits("1.10.3", "1.2"), fits("2.0.0", "1.2"), fits("0.3.1", "0.2"), fits("5.0.0", ">=1")
    (True, False, False, True)
    """
    if not PLAIN.fullmatch(wanted):
        return True
    asked = [int(part) for part in wanted.split(".")]
    result = [int(part) for part in re.findall(r"\d+", version)[:3]]
    leading = next((at for at, part in enumerate(asked) if part), len(asked) - 1)
    return result[: leading + 1] == asked[: leading + 1] and result >= asked


def _has(folder: Path, wanted: Dependency) -> bool:
    """Whether a crate is there; `cargo vendor` adds the version to the name where it must, or is asked to."""
    folders = (folder / wanted.name, *folder.glob(f"{wanted.name}-[0-9]*"))
    manifests = [item / "Cargo.toml" for item in folders if (item / "Cargo.toml").is_file()]
    return any(
        (result := _version(manifest)) is None or fits(result, wanted.version) for manifest in manifests
    )


def _version(manifest: Path) -> str | None:
    """Return the version of a crate; None where only cargo can tell."""
    try:
        package = tomllib.loads(manifest.read_text(encoding="utf-8")).get("package", {})
    except (OSError, ValueError):
        return None
    version = package.get("version")
    return version if isinstance(version, str) else None
