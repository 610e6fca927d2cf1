"""Rules for Terraform answers: required blocks, forbidden files and programs.

Every resource, data source, module, variable and output of a replaced file must still be declared in its
module, except those in `settings.may_remove`. Answers may contain code and data files, but no configuration
of Terraform and no overrides of other code.
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

# Files that configure Terraform, override other files, or contain tests and values.
FORBIDDEN = (
    "*.tf.json", "override.tf", "*_override.tf", "*.tofu", "*.tofu.json", "*.tfvars", "*.tfvars.json",
    "*.tftest.hcl", "*.tftest.json", "*.tfmock.hcl", "*.tfrc", "terraform.rc", "*.tfstate", ".*",
)  # fmt: skip
EVERYTHING = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRules:
    """Exceptions and requirements of a case."""

    may_remove: frozenset[str] = frozenset()  # addresses, or `*`
    allow: frozenset[str] = frozenset()  # `programs`, `files`
    required_blocks: frozenset[str] = frozenset()  # addresses


def rules_of(expectations: Expectations) -> CaseRules:
    """Read the rules of a case; lists in settings are separated by blanks or commas."""
    settings = expectations.settings
    return CaseRules(
        may_remove=_words(settings.get("may_remove", "")),
        allow=_words(settings.get("allow", "")),
        required_blocks=frozenset((*expectations.types, *expectations.functions)),
    )


def forbidden_files(paths: Iterable[str], *, target: str = "main.tf") -> list[str]:
    """Return the forbidden files of an answer; the target may have any name.

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
    """Return the programs that the answer adds."""
    known = Counter(program for code in _code(before, files) for program in scan(code).programs)
    after = _code(before.changed(files), files)
    return sorted((Counter(program for code in after for program in scan(code).programs) - known).elements())


def new_readings(before: Workspace, files: Mapping[str, str]) -> list[str]:
    """Return the reads of files that the answer adds."""
    known = {reading for code in _code(before, files) for reading in scan(code).readings}
    after = _code(before.changed(files), files)
    return sorted({reading for code in after for reading in scan(code).readings} - known)


def required_blocks(before: Workspace, paths: Iterable[str], rules: CaseRules) -> dict[str, dict[str, Block]]:
    """Return the required blocks of each folder with replaced files, by address.

    Blocks of the original count at any depth: the answer may have to add a missing brace.
    """
    required: dict[str, dict[str, Block]] = {before.folder: {}}
    for path in paths:
        inside = required.setdefault(str(PurePosixPath(path).parent), {})
        for block in scan(before.code(path)).blocks:
            if block.kind in DECLARATIONS and not _may_go(block.address, rules):
                inside[block.address] = block
    for address in rules.required_blocks:
        kind, *labels = address.split(".")
        required[before.folder][address] = Block(kind=kind, labels=tuple(labels))
    return required


def missing(required: Mapping[str, Mapping[str, Block]], after: Workspace) -> list[tuple[str, Block]]:
    """Return the folders and blocks that are required but not declared."""
    gone = []
    for folder, inside in required.items():
        declared = {address for path in after.module(folder) for address in scan(after.code(path)).declared}
        gone += [(folder, block) for address, block in inside.items() if address not in declared]
    return gone


def declares_nothing(files: Mapping[str, str]) -> bool:
    """Whether the code of an answer is empty or only comments."""
    return not any(scan(text).has_blocks for path, text in files.items() if path.endswith(CODE))


def _code(workspace: Workspace, paths: Iterable[str]) -> list[str]:
    """Return the code of files separately: an unclosed comment affects only its file.

    Other files may be templates and are wrapped in a heredoc, which has the same syntax.
    """
    end = token_hex(16)
    return [
        workspace.code(path) if path.endswith(CODE) else f"t = <<E{end}\n{workspace.code(path)}\nE{end}\n"
        for path in paths
    ]


def _may_go(address: str, rules: CaseRules) -> bool:
    return EVERYTHING in rules.may_remove or address in rules.may_remove


def _words(text: str) -> frozenset[str]:
    return frozenset(text.replace(",", " ").split())
