"""Validate repaired files in copies of the projects they belong to, for `steelyard evaluate`."""

import os
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from steelyard.checks.extraction.definitions import definitions
from steelyard.checks.extraction.extract import extract
from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.judgement import ProjectValidator, Task
from steelyard.checks.toolchains.terraform.tool import installed
from steelyard.checks.toolchains.terraform.workspace import CODE, Workspace
from steelyard.errors import InfrastructureError, InputError, SandboxError
from steelyard.languages.interpreted import TERRAFORM
from steelyard.model.outcome import Classification
from steelyard.ports import Fix, Sandbox

TIMEOUT_S = 120.0
SKIPPED = frozenset({".git", ".terraform", "node_modules"})  # what Terraform never reads, and may be large
LARGEST_BYTES = 64 * 1024 * 1024  # of a project

Verdict = tuple[Classification, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FixLocation:
    """Where a repaired file belongs: a project's folder, and the file's path in it."""

    project: Path
    path: str


class TerraformValidator:
    """Finds out which repaired files validate; the clones themselves are only read."""

    def __init__(
        self, sandbox: Sandbox, *, providers: str | None = None, timeout_s: float = TIMEOUT_S
    ) -> None:
        self._judge = ProjectValidator(sandbox, installed(providers=providers))
        self._timeout_s = timeout_s

    def validate(self, fixes: Sequence[Fix], *, clones_dir: str) -> Sequence[Classification]:
        """Return how each fix ended, in order; equal fixes of one file are validated once."""
        clones = Path(clones_dir)
        if not clones.is_dir():
            raise InputError(
                f"{clones}: no such folder; clones_dir must hold the projects that were repaired"
            )
        places = {fix.filename: place_of(fix.filename, clones) for fix in fixes}
        if fixes and not any(places.values()):
            raise InputError(
                f"{clones}: holds none of the files that were repaired, such as {fixes[0].filename!r}"
            )
        distinct = {(fix.filename, fix.text): fix for fix in fixes}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            result = pool.map(lambda fix: self._validate(fix, places[fix.filename]), distinct.values())
            verdicts = dict(zip(distinct, result, strict=True))
        _require_some_evidence(verdicts.values())
        return [verdicts[fix.filename, fix.text][0] for fix in fixes]

    def _validate(self, fix: Fix, place: FixLocation | None) -> Verdict:
        files = _project(place.project) if place is not None else None
        if place is None or files is None:
            return Classification.ERROR, f"{fix.filename}: is not there, or its project is too large to copy"
        code = repaired(fix.text)
        if code is None:
            return Classification.WRONG_FORMAT, ""
        task = Task(before=Workspace(files=files, target=place.path), wall_s=self._timeout_s)
        try:
            judged = self._judge.judge(task, {place.path: code})
        except SandboxError as error:
            return Classification.ERROR, str(error)
        return judged.facts.classification or Classification.ERROR, judged.detail


def _require_some_evidence(verdicts: Collection[Verdict]) -> None:
    """Stop when nothing at all could be validated: no number would follow, and there is one thing to fix."""
    if verdicts and all(kind is Classification.ERROR for kind, _ in verdicts):
        _, detail = next(iter(verdicts))
        raise InfrastructureError(
            f"not one of the fixes could be validated; the first one because:\n{detail}"
        )


def repaired(text: str) -> str | None:
    r"""Return a whole file that may be wrapped in a fence or a CDATA section, or None if there is no code.

    >>> repaired("```hcl\nlocals {}\n```")
    'locals {}\n'
    """
    # A file may hold fences of its own, in a heredoc; whatever begins as code is taken as it is.
    beginning = text.partition("```")[0].partition("<![CDATA[")[0]
    if scan(beginning).blocks or definitions(beginning, TERRAFORM):
        return text
    result = extract(text, "terraform")
    return result.code if result.found else None


def place_of(filename: str, clones: Path) -> FixLocation | None:
    """Return where a file such as `clones/<project>/main.tf` lies, or None if there is no such file.

    The first folder below the clones is the project, with all the modules it may refer to.
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
    """Return the plain files of a project; None when it cannot be read or is too large to copy."""
    files, room = dict[str, bytes](), LARGEST_BYTES
    try:
        for where, inside, names in os.walk(folder):
            inside[:] = sorted(set(inside) - SKIPPED)
            for name in sorted(names):
                path = Path(where, name)
                if path.is_symlink() or not path.is_file():
                    continue
                content = path.read_bytes()
                room -= len(content)
                if room < 0:
                    return None
                files[path.relative_to(folder).as_posix()] = content
    except OSError:
        return None
    return files
