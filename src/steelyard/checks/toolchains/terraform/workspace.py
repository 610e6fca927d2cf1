"""A Terraform project and the files that an answer changes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from steelyard.checks.extraction.extract import Extracted, Means
from steelyard.checks.extraction.paths import fitting
from steelyard.errors import InputError
from steelyard.model.case import Case

DEFAULT_FILE = "main.tf"
CODE = ".tf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The files of a project by path, and the target file."""

    files: Mapping[str, bytes]
    target: str = DEFAULT_FILE

    @property
    def folder(self) -> str:
        """The folder of the target: the module that is validated."""
        return str(PurePosixPath(self.target).parent)

    def code(self, path: str) -> str:
        """Return a file as text; empty if missing."""
        return self.files.get(path, b"").decode("utf-8", errors="replace")

    def module(self, folder: str) -> list[str]:
        """Return the paths of the code files directly in a folder."""
        paths = (PurePosixPath(path) for path in self.files)
        return [str(path) for path in paths if path.suffix == CODE and str(path.parent) == folder]

    def changed(self, files: Mapping[str, str]) -> "Workspace":
        """Return the project with the answer's files."""
        return replace(self, files={**self.files, **{path: text.encode() for path, text in files.items()}})


def target_of(case: Case) -> str:
    """Return the file that an answer replaces: `settings.file`, the only code file, or main.tf."""
    code = [path for path in case.files if path.endswith(CODE)]
    named = case.expectations.settings.get("file")
    return named or (code[0] if len(code) == 1 else DEFAULT_FILE)


def workspace_of(case: Case) -> Workspace:
    """Return the project of a case."""
    target = target_of(case)
    if not target.endswith(CODE) or ".." in target.split("/") or target.startswith("/"):
        raise InputError(
            f"case {case.id}: settings.file must be a relative path that ends in .tf, not {target!r}"
        )
    files = {path: text.encode() for path, text in case.files.items()}
    return Workspace(files=files, target=str(PurePosixPath(target)))


def placed(extracted: Extracted, workspace: Workspace) -> dict[str, str]:
    """Return the files that an answer writes; unnamed code is the target."""
    if extracted.means is Means.DIFF:
        return {path: text for path, text in extracted.files.items() if text != workspace.code(path)}
    if extracted.means is not Means.FILES:
        return {workspace.target: extracted.code}
    own = _name_of_target(extracted.files, workspace)
    files = {
        workspace.target if name == own else _path_of(name, workspace): text
        for name, text in extracted.files.items()
    }
    if workspace.target not in files:
        main = next(name for name, text in files.items() if text == extracted.code)
        files[workspace.target] = files.pop(main) if _may_move(main, workspace) else ""
    return fitting({path: text for path, text in files.items() if text}, [workspace.target, *workspace.files])


def _name_of_target(names: Collection[str], workspace: Workspace) -> str | None:
    """Return the answer's name of the target: its path, or one with more or fewer folders.

    With `main.tf` present, `modules/net/main.tf` is another file.
    """
    target = workspace.target
    if target in names:
        return target
    forms = [
        name
        for name in names
        if target.endswith(f"/{name}") or (name.endswith(f"/{target}") and name not in workspace.files)
    ]
    return min(forms, key=lambda name: name.count("/"), default=None)


def _path_of(name: str, workspace: Workspace) -> str:
    """Return the path of another file: its own if it exists, or else beside the target."""
    beside = str(PurePosixPath(workspace.folder) / name)
    return name if name in workspace.files or beside == workspace.target else beside


def _may_move(name: str, workspace: Workspace) -> bool:
    """Whether a name is a usual default and not a file of the project."""
    return name not in workspace.files and PurePosixPath(name).name in {DEFAULT_FILE, "fixed.tf", "answer.tf"}
