"""Validate repaired files in copies of their projects, for `steelyard pass-at-k --config`."""

import os
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from steelyard.checks.extraction.definitions import definitions
from steelyard.checks.extraction.extract import extract
from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.project_validator import ProjectValidator, Task
from steelyard.checks.toolchains.terraform.tool import installed
from steelyard.checks.toolchains.terraform.workspace import CODE, Workspace
from steelyard.errors import InfrastructureError, InputError, SandboxError
from steelyard.languages.interpreted import TERRAFORM
from steelyard.model.outcome import Classification
from steelyard.ports import Fix, Sandbox

TIMEOUT_S = 120.0
SKIPPED = frozenset({".git", ".terraform", "node_modules"})  # not read by Terraform, and possibly large
LARGEST_BYTES = 64 * 1024 * 1024  # of a project

Verdict = tuple[Classification, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixLocation:
    """The location of a repaired file: its project's folder and its path there."""

    project: Path
    path: str


class TerraformValidator:
    """Validates repaired files; the clones are not modified."""

    def __init__(
        self, sandbox: Sandbox, *, providers: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._validator = ProjectValidator(sandbox, installed(providers=providers))
        self._timeout_s = timeout_s

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        """Return the classification of each fix, in order; equal fixes of a file are validated once."""
        clones = Path(clones_dir)
        if not clones.is_dir():
            raise InputError(f"{clones}: no such folder; clones_dir must contain the repaired projects")
        locations = {fix.filename: location_of(fix.filename, clones) for fix in fixes}
        if fixes and not any(locations.values()):
            raise InputError(f"{clones}: contains none of the repaired files, such as {fixes[0].filename!r}")
        distinct = {(fix.filename, fix.text): fix for fix in fixes}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            all_verdicts = pool.map(
                lambda fix: self._validate(fix, locations[fix.filename]), distinct.values()
            )
            verdicts = dict(zip(distinct, all_verdicts, strict=True))
        _require_some_evidence(verdicts.values())
        return [verdicts[fix.filename, fix.text][0] for fix in fixes]

    def _validate(self, fix: Fix, location: FixLocation | None) -> Verdict:
        files = _project(location.project) if location is not None else None
        if location is None or files is None:
            return Classification.ERROR, f"{fix.filename}: no such file, or its project is too large to copy"
        code = repaired(fix.text)
        if code is None:
            return Classification.WRONG_FORMAT, ""
        task = Task(before=Workspace(files=files, target=location.path), wall_s=self._timeout_s)
        try:
            validated = self._validator.validate(task, {location.path: code})
        except SandboxError as error:
            return Classification.ERROR, str(error)
        return validated.facts.classification or Classification.ERROR, validated.detail


def _require_some_evidence(verdicts: Collection[Verdict]) -> None:
    """Raise InfrastructureError if no fix could be validated."""
    if verdicts and all(kind is Classification.ERROR for kind, _ in verdicts):
        _, detail = next(iter(verdicts))
        raise InfrastructureError(f"no fix could be validated; the first failed with:\n{detail}")


def repaired(text: str) -> str | None:
    r"""Return a file without an enclosing fence or CDATA section; None without code.

    >>> repaired("```hcl\nlocals {}\n```")
    'locals {}\n'
    """
    # A file may contain fences in a heredoc: text that starts with code is taken unchanged.
    beginning = text.partition("```")[0].partition("<![CDATA[")[0]
    if scan(beginning).blocks or definitions(beginning, TERRAFORM):
        return text
    extracted = extract(text, "terraform")
    return extracted.code if extracted.is_code else None


def location_of(filename: str, clones: Path) -> FixLocation | None:
    """Return the location of a file such as `clones/<project>/main.tf`; None if it does not exist.

    The first folder below the clones is the project, including its modules.
    """
    parts = PurePosixPath(filename.replace("\\", "/")).parts
    if ".." in parts or not filename.endswith(CODE):
        return None
    if parts and parts[0] == clones.resolve().name and not (clones / parts[0]).is_dir():
        parts = parts[1:]
    if len(parts) < 2 or not (clones / Path(*parts)).is_file():  # noqa: PLR2004  # a project and a file
        return None
    return FixLocation(project=clones / parts[0], path=str(PurePosixPath(*parts[1:])))


@lru_cache(maxsize=4)
def _project(folder: Path) -> dict[str, bytes] | None:
    """Return the regular files of a project; None if it is unreadable or too large."""
    files, remaining = dict[str, bytes](), LARGEST_BYTES
    try:
        for where, inside, names in os.walk(folder):
            inside[:] = sorted(set(inside) - SKIPPED)
            for name in sorted(names):
                path = Path(where, name)
                if path.is_symlink() or not path.is_file():
                    continue
                content = path.read_bytes()
                remaining -= len(content)
                if remaining < 0:
                    return None
                files[path.relative_to(folder).as_posix()] = content
    except OSError:
        return None
    return files
