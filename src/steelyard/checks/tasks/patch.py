r"""Write changes as a patch that `git apply` takes, and apply patches to a tree.

Git of the grader never runs in a repository that an agent has touched, only on single files in a new folder.
"""

import os
import re
import shutil
import subprocess
import zlib
from base64 import b85encode
from collections.abc import Iterator
from difflib import unified_diff
from hashlib import sha1
from pathlib import Path, PurePosixPath
from string import ascii_lowercase, ascii_uppercase
from tempfile import TemporaryDirectory

from steelyard.errors import SandboxMissing
from steelyard.model.tree import Changes, File, Tree

LARGEST_TEXT = 1_000_000  # bytes; larger files are written as binary ones
LENGTHS = ascii_uppercase + ascii_lowercase  # of a line's bytes: A is 1, z is 52
NOTHING = "0" * 40
EMPTY = File(content=b"")
PLAIN_NAME = re.compile(r"[^\x00-\x1f\"\\\x7f]+")
NAMES = re.compile(
    r"^(?:--- (?:a/)?(?P<old>[^\t\n]+)|\+\+\+ (?:b/)?(?P<new>[^\t\n]+)|rename (?:from|to) (?P<renamed>.+)"
    r"|copy from (?P<copied>.+)|diff --git a/(?P<first>.+) b/(?P<second>.+))$",
    re.MULTILINE,
)
COMMENT = re.compile(r"^#.*\n", re.MULTILINE)  # no line of a patch begins so
# Nothing of the machine's or the user's settings takes part.
GIT_ENV = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1"}
TIMEOUT_S = 60
FUZZ = ("patch", "--batch", "--forward", "--fuzz=5", "--posix", "-p1", "-i")


class PatchError(ValueError):
    """A patch that does not apply; the message has the reason."""


def write_patch(old: Tree, changes: Changes) -> str:
    r"""Return changes as a patch in git's format.

    >>> print(write_patch(Tree(), Changes(written={"a.txt": File(content=b"1\n")})), end="")
    diff --git a/a.txt b/a.txt
    new file mode 100644
    index 0000000000000000000000000000000000000000..d00491fd7e5bb6fa28c517a0bb32b8b506539d4d
    --- /dev/null
    +++ b/a.txt
    @@ -0,0 +1 @@
    +1
    """
    return "".join(
        "".join(_file_patch(path, old.files.get(path), changes.written.get(path))) for path in changes.paths
    )


def is_writable_name(path: str) -> bool:
    """Whether a path can stand in a patch without quotes."""
    return PLAIN_NAME.fullmatch(path) is not None and path.isprintable()


def apply_patch(old: Tree, patch: str) -> Changes:
    """Return what a patch changes in a tree; raises PatchError if it does not apply.

    As SWE-bench does: first by `git apply`, then by `patch` with a fuzz.
    """
    patch = COMMENT.sub("", patch)
    if not patch.strip():
        return Changes()
    text = patch if patch.endswith("\n") else f"{patch}\n"
    paths = frozenset(_named_paths(text))
    with TemporaryDirectory(prefix="steelyard-patch-") as folder:
        problem = _apply_in(Path(folder), old, paths, text, by_git=True)
        if problem is None:
            return _read_changes(Path(folder), old, paths)
    with TemporaryDirectory(prefix="steelyard-patch-") as folder:
        if shutil.which(FUZZ[0]) and _apply_in(Path(folder), old, paths, text, by_git=False) is None:
            return _read_changes(Path(folder), old, paths)
    raise PatchError(f"the patch does not apply: {problem}")


def _file_patch(path: str, old: File | None, new: File | None) -> Iterator[str]:
    yield f"diff --git a/{path} b/{path}\n"
    if old is None or new is None:
        yield f"{'new' if old is None else 'deleted'} file mode {_mode(old or new or EMPTY)}\n"
    elif old.is_executable != new.is_executable:
        yield f"old mode {_mode(old)}\nnew mode {_mode(new)}\n"
    before, after = (old or EMPTY).content, (new or EMPTY).content
    if before == after and old is not None and new is not None:
        return
    yield f"index {_blob_id(old)}..{_blob_id(new)}{_unchanged_mode(old, new)}\n"
    if _is_text(before) and _is_text(after):
        yield from _text_hunks(path if old else None, path if new else None, before, after)
    else:
        yield "GIT binary patch\n"
        yield from _literal(after)
        yield from _literal(before)


def _text_hunks(old_path: str | None, new_path: str | None, before: bytes, after: bytes) -> Iterator[str]:
    names = (f"a/{old_path}" if old_path else os.devnull, f"b/{new_path}" if new_path else os.devnull)
    for line in unified_diff(_lines(before), _lines(after), *names):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(content: bytes) -> list[str]:
    return [f"{line}\n" for line in content.decode().split("\n")[:-1]] + [
        rest for rest in [content.decode().rpartition("\n")[2]] if rest
    ]


def _literal(content: bytes) -> Iterator[str]:
    """Yield a file in git's binary form: lines of up to 52 bytes, each with its length as a letter."""
    packed = zlib.compress(content)
    yield f"literal {len(content)}\n"
    for start in range(0, len(packed), len(LENGTHS)):
        part = packed[start : start + len(LENGTHS)]
        yield f"{LENGTHS[len(part) - 1]}{b85encode(part, pad=True).decode()}\n"
    yield "\n"


def _is_text(content: bytes) -> bool:
    if len(content) > LARGEST_TEXT or b"\0" in content or b"\r" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _mode(file: File) -> str:
    return "100755" if file.is_executable else "100644"


def _unchanged_mode(old: File | None, new: File | None) -> str:
    is_unchanged = old is not None and new is not None and old.is_executable == new.is_executable
    return f" {_mode(new)}" if is_unchanged and new is not None else ""


def _blob_id(file: File | None) -> str:
    if file is None:
        return NOTHING
    header = f"blob {len(file.content)}\0".encode()
    return sha1(header + file.content, usedforsecurity=False).hexdigest()


def _named_paths(patch: str) -> Iterator[str]:
    for match in NAMES.finditer(patch):
        for name in filter(None, match.groups()):
            path = PurePosixPath(name)
            if name != os.devnull and not path.is_absolute() and ".." not in path.parts:
                yield str(path)


def _apply_in(folder: Path, old: Tree, paths: frozenset[str], patch: str, *, by_git: bool) -> str | None:
    """Apply a patch to copies of the files that it names; return why it does not apply."""
    workspace, patch_file = folder / "workspace", folder / "answer.patch"
    workspace.mkdir()
    for path in paths & old.files.keys():
        target = workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(old.files[path].content)
        target.chmod(0o755 if old.files[path].is_executable else 0o644)
    patch_file.write_bytes(patch.encode("utf-8", "surrogateescape"))
    program = ("git", "apply", "--whitespace=nowarn") if by_git else FUZZ
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder), **GIT_ENV}
    env["GIT_CEILING_DIRECTORIES"] = str(folder)
    try:
        done = subprocess.run(  # noqa: S603  # a fixed program; the patch is a file
            [*program, str(patch_file)],
            cwd=workspace,
            env=env,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise SandboxMissing("applying patches needs git, which is not installed") from error
    except subprocess.TimeoutExpired:
        return f"it took more than {TIMEOUT_S} s"
    output = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
    return None if done.returncode == 0 else output[-300:] or "no reason given"


def _read_changes(folder: Path, old: Tree, paths: frozenset[str]) -> Changes:
    written, deleted = dict[str, File](), []
    workspace = folder / "workspace"
    for path in sorted(paths):
        target = workspace / path
        is_plain = target.is_file() and not any(
            part.is_symlink() for part in (target, *target.relative_to(workspace).parents) if part != Path()
        )
        if is_plain and not _leads_out(workspace, target):
            new = File(content=target.read_bytes(), is_executable=bool(target.stat().st_mode & 0o100))
            if old.files.get(path) != new:
                written[path] = new
        elif path in old.files and not target.is_symlink():
            deleted.append(path)
    return Changes(written=written, deleted=tuple(deleted))


def _leads_out(workspace: Path, target: Path) -> bool:
    """Whether a link is on the way to a file."""
    return target.resolve() != workspace.resolve() / target.relative_to(workspace)
