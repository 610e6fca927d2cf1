"""Say what an answer in Terraform may not do, and what must still be there afterwards.

The rule: every resource, data source, module, variable and output of a file that an answer replaces must
still be declared in its module, unless the case says otherwise in `settings.may_remove`. An answer may
bring code and files to read, but nothing that would set up the tool or change other code behind its back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from secrets import token_hex

from steelyard.checks.toolchains.terraform.blocks import DECLARATIONS, Block, scan
from steelyard.checks.toolchains.terraform.workspace import CODE, Workspace
from steelyard.model.case import Expectations

# Files by which an answer would configure Terraform, override other files, or bring its own tests and values.
FORBIDDEN = (
    "*.tf.json", "override.tf", "*_override.tf", "*.tofu", "*.tofu.json", "*.tfvars", "*.tfvars.json",
    "*.tftest.hcl", "*.tftest.json", "*.tfmock.hcl", "*.tfrc", "terraform.rc", "*.tfstate", ".*",
)  # fmt: skip
EVERYTHING = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRules:
    """What the case leaves an answer free to do, and what it demands by name."""

    may_remove: frozenset[str] = frozenset()  # addresses, or `*`
    allow: frozenset[str] = frozenset()  # `programs`, `files`
    required_blocks: frozenset[str] = frozenset()  # addresses


def terms_of(expectations: Expectations) -> CaseRules:
    """Return the terms of a case; lists in settings are separated by blanks or commas."""
    settings = expectations.settings
    return CaseRules(
        may_remove=_words(settings.get("may_remove", "")),
        allow=_words(settings.get("allow", "")),
        required_blocks=frozenset((*expectations.types, *expectations.functions)),
    )


def forbidden_files(paths: Iterable[str], *, target: str = "main.tf") -> list[str]:
    """Return the files that no answer may bring; the target may be called anything.

    >>> forbidden_files(["main.tf", "main_override.tf", ".terraform/x", "run.sh"])
    ['main_override.tf', '.terraform/x']
    """
    return [
        path
        for path in paths
        if path != target
        and any(fnmatchcase(part.lower(), kind) for part in PurePosixPath(path).parts for kind in FORBIDDEN)
    ]


def new_programs(before: Workspace, files: Mapping[str, str]) -> list[str]:
    """Return the programs that an answer would start and the project did not start before."""
    known = Counter(program for code in _code(before, files) for program in scan(code).programs)
    after = _code(before.changed(files), files)
    return sorted((Counter(program for code in after for program in scan(code).programs) - known).elements())


def new_readings(before: Workspace, files: Mapping[str, str]) -> list[str]:
    """Return the files that an answer would read and the project did not read before."""
    known = {reading for code in _code(before, files) for reading in scan(code).readings}
    after = _code(before.changed(files), files)
    return sorted({reading for code in after for reading in scan(code).readings} - known)


def required_blocks(before: Workspace, paths: Iterable[str], terms: CaseRules) -> dict[str, dict[str, Block]]:
    """Return what must be declared in each folder once files in it are replaced, by address.

    Blocks of the original are found at any depth: a missing brace may be what the answer must fix.
    """
    requested: dict[str, dict[str, Block]] = {before.folder: {}}
    for path in paths:
        inside = requested.setdefault(str(PurePosixPath(path).parent), {})
        for block in scan(before.code(path)).blocks:
            if block.kind in DECLARATIONS and not _may_go(block.address, terms):
                inside[block.address] = block
    for address in terms.required_blocks:
        kind, *labels = address.split(".")
        requested[before.folder][address] = Block(kind=kind, labels=tuple(labels))
    return requested


def missing(wanted: Mapping[str, Mapping[str, Block]], after: Workspace) -> list[tuple[str, Block]]:
    """Return the folders and blocks that are demanded and no longer declared."""
    gone = []
    for folder, inside in wanted.items():
        there = {address for path in after.module(folder) for address in scan(after.code(path)).declared}
        gone += [(folder, block) for address, block in inside.items() if address not in there]
    return gone


def declares_nothing(files: Mapping[str, str]) -> bool:
    """Whether an answer's code is empty or all comments."""
    return not any(scan(text).has_blocks for path, text in files.items() if path.endswith(CODE))


def _code(workspace: Workspace, paths: Iterable[str]) -> list[str]:
    """Return the code of some files, each by itself: a comment left open in one hides nothing in another.

    Any other file may be read as a template. What Terraform finds in one it would find in a heredoc.
    """
    end = token_hex(16)
    return [
        workspace.code(path) if path.endswith(CODE) else f"t = <<E{end}\n{workspace.code(path)}\nE{end}\n"
        for path in paths
    ]


def _may_go(address: str, terms: CaseRules) -> bool:
    return EVERYTHING in terms.may_remove or address in terms.may_remove


def _words(text: str) -> frozenset[str]:
    return frozenset(text.replace(",", " ").split())
