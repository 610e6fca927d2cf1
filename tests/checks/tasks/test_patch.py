"""Changes of a workspace as patches: what git and what we make of them."""

import random
import subprocess
from pathlib import Path

import pytest

from steelyard.checks.tasks.patch import PatchError, apply_patch, write_patch
from steelyard.model.tree import Changes, File, Tree, changes_between

LINES = ["a", "b", "é", "--- x", "+++ y", "diff --git", "\\ No newline", " z ", "# step: x", "\x0c\u2028"]


def random_file(chance: random.Random) -> File:
    kind = chance.random()
    if kind < 0.2:
        content = chance.randbytes(chance.randint(0, 300))
    elif kind < 0.3:
        content = b""
    else:
        lines = [chance.choice(LINES) for _ in range(chance.randint(1, 12))]
        content = ("\n".join(lines) + chance.choice(["", "\n", "\n\n"])).encode()
    return File(content=content, is_executable=chance.random() < 0.3)


def random_tree(chance: random.Random, like: Tree | None = None) -> Tree:
    paths = [
        path for path in (f"d{number % 3}/file {number}.txt" for number in range(6)) if chance.random() < 0.7
    ]
    known = {} if like is None else like.files
    return Tree(
        files={
            path: known[path] if path in known and chance.random() < 0.3 else random_file(chance)
            for path in paths
        }
    )


def write_tree(folder: Path, tree: Tree) -> None:
    for path, file in tree.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(0o755 if file.is_executable else 0o644)


def read_tree(folder: Path) -> dict[str, File]:
    return {
        str(path.relative_to(folder)): File(
            content=path.read_bytes(), is_executable=bool(path.stat().st_mode & 0o100)
        )
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_patch_of_any_change_applies_again() -> None:
    chance = random.Random(46)
    for _ in range(40):
        old = random_tree(chance)
        changes = changes_between(old, random_tree(chance, old))
        applied = apply_patch(old, write_patch(old, changes))
        assert dict(applied.written) == dict(changes.written)
        assert sorted(applied.deleted) == sorted(changes.deleted)


def test_git_applies_a_patch_in_a_repository(tmp_path: Path) -> None:
    old = Tree(
        files={
            "a.txt": File(content=b"1\n2\n"),
            "gone": File(content=b"x"),
            "run": File(content=b"#!/bin/sh\n"),
        }
    )
    new = Tree(
        files={
            "a.txt": File(content=b"1\n3"),
            "run": File(content=b"#!/bin/sh\n", is_executable=True),
            "new/b.bin": File(content=bytes(range(256))),
        }
    )
    write_tree(tmp_path, old)
    subprocess.run(["git", "init", "-q", "."], cwd=tmp_path, check=True)
    patch = write_patch(old, changes_between(old, new))
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=tmp_path, check=True)
    assert {
        path: file for path, file in read_tree(tmp_path).items() if not path.startswith(".git/")
    } == new.files


@pytest.mark.parametrize(
    "path", ["../out.txt", "/steelyard-out.txt", "a/../../out.txt", ".git/hooks/post-commit"]
)
def test_a_patch_cannot_write_elsewhere(path: str) -> None:
    patch = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    try:
        changes = apply_patch(Tree(), patch)
    except PatchError:
        return
    assert all(".." not in name and not name.startswith("/") for name in changes.paths)
    assert not Path("/steelyard-out.txt").exists()


def test_a_patch_that_makes_a_link_writes_nothing_through_it(tmp_path: Path) -> None:
    link = "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n"
    link += f"+{tmp_path}\n\\ No newline at end of file\n"
    through = "diff --git a/l/x b/l/x\nnew file mode 100644\n--- /dev/null\n+++ b/l/x\n@@ -0,0 +1 @@\n+x\n"
    assert apply_patch(Tree(), link) == Changes()
    with pytest.raises(PatchError):
        apply_patch(Tree(), link + through)
    assert not list(tmp_path.iterdir())


def test_a_patch_of_other_lines_applies_with_a_fuzz_as_in_swe_bench() -> None:
    old = Tree(files={"a.py": File(content=b"zero\none\ntwo\nTHREE\nfour\n")})
    patch = "--- a/a.py\n+++ b/a.py\n@@ -2,3 +2,3 @@\n one\n-two\n+2\n three\n"
    assert apply_patch(old, patch).written == {"a.py": File(content=b"zero\none\n2\nTHREE\nfour\n")}


def test_a_patch_of_a_missing_file_does_not_apply() -> None:
    with pytest.raises(PatchError, match="does not apply"):
        apply_patch(Tree(), "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+2\n")
