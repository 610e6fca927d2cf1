"""Find vendored crates in the folder created by `cargo vendor`."""

import json
import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from steelyard.errors import InfrastructureError
from steelyard.languages.compiled import RUST
from steelyard.model.case import Case, Dependency
from steelyard.model.sample import text_digest

FOLDER_ENV = "STEELYARD_CARGO_VENDOR"
VENDOR = "vendor"  # folder of crates in the files of a case
PLAIN = re.compile(r"\d+(?:\.\d+){0,2}")
DESCRIBING = ("Cargo.toml", ".cargo-checksum.json")  # the second contains checksums of all files


def vendor_folder() -> Path | None:
    """Return the folder of the environment variable, if set; raises if it does not exist."""
    named = os.environ.get(FOLDER_ENV)
    if named and not Path(named).is_dir():
        raise InfrastructureError(f"{named}: no such folder, set by {FOLDER_ENV} for Rust crates")
    return Path(named) if named else None


def vendor_digest(folder: Path) -> str:
    """Return a digest of the crates in a folder, independent of its path."""
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
    return case.language == RUST.name


def crates_of(cases: Iterable[Case]) -> tuple[str, ...]:
    """Return the distinct crates that Rust answers may use."""
    return tuple(
        dict.fromkeys(dependency.name for case in cases if is_rust(case) for dependency in case.dependencies)
    )


def missing_crates(cases: Iterable[Case], folder: Path | None) -> tuple[str, ...]:
    """Return the distinct crates that are neither in the files of their case nor in the folder."""
    requested = (
        dependency
        for case in cases
        if is_rust(case)
        for dependency in case.dependencies
        if f"{VENDOR}/{dependency.name}/Cargo.toml" not in case.files
    )
    return tuple(
        dict.fromkeys(
            f"{crate.name} {crate.version}"
            for crate in requested
            if folder is None or not _has(folder, crate)
        )
    )


def fits(version: str, required: str) -> bool:
    """Whether a version satisfies a plain requirement such as `1.2`; True for other forms.

    >>> fits("1.10.3", "1.2"), fits("2.0.0", "1.2"), fits("0.3.1", "0.2"), fits("5.0.0", ">=1")
    (True, False, False, True)
    """
    if not PLAIN.fullmatch(required):
        return True
    minimum = [int(part) for part in required.split(".")]
    parts = [int(part) for part in re.findall(r"\d+", version)[:3]]
    leading = next((index for index, part in enumerate(minimum) if part), len(minimum) - 1)
    return parts[: leading + 1] == minimum[: leading + 1] and parts >= minimum


def _has(folder: Path, crate: Dependency) -> bool:
    """Whether the folder contains a crate; `cargo vendor` may append the version to its name."""
    folders = (folder / crate.name, *folder.glob(f"{crate.name}-[0-9]*"))
    manifests = [path / "Cargo.toml" for path in folders if (path / "Cargo.toml").is_file()]
    return any(
        (version := _version(manifest)) is None or fits(version, crate.version) for manifest in manifests
    )


def _version(manifest: Path) -> str | None:
    """Return the version of a crate; None if only cargo can determine it."""
    try:
        package = tomllib.loads(manifest.read_text(encoding="utf-8")).get("package", {})
    except (OSError, ValueError):
        return None
    version = package.get("version")
    return version if isinstance(version, str) else None
