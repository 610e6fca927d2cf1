"""What of an archive is taken for a workspace."""

import io
import tarfile

import pytest

from steelyard.checks.tasks.archive import read_tree, write_archive
from steelyard.model.tree import File


def archive(*members: tarfile.TarInfo) -> io.BytesIO:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for member in members:
            tar.addfile(member, io.BytesIO(b"x" * member.size))
    buffer.seek(0)
    return buffer


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    info.size = 1 if kind == tarfile.REGTYPE else 0
    return info


def test_a_written_archive_reads_as_the_same_files() -> None:
    files = {"app/a": File(content=b"1"), "app/b/c": File(content=b"", is_executable=True)}
    tree = read_tree(io.BytesIO(write_archive(files, folders=("app",), owner=(7, 8))), "/app")
    assert tree.files == {"a": files["app/a"], "b/c": files["app/b/c"]}
    assert tree.owner == (7, 8)


def test_links_pipes_and_devices_are_no_files() -> None:
    kinds = {"l": tarfile.SYMTYPE, "p": tarfile.FIFOTYPE, "d": tarfile.CHRTYPE}
    tree = read_tree(archive(*(member(f"app/{name}", kind, "/etc") for name, kind in kinds.items())), "/app")
    assert not tree.files
    assert tree.others == {"l": "a symbolic link to /etc", "p": "a pipe", "d": "a device"}


def test_members_that_lead_out_are_left_out() -> None:
    assert not read_tree(archive(member("app/../x"), member("/etc/passwd")), "/app").files


def test_a_hard_link_is_the_file_in_the_archive_or_nothing() -> None:
    linked = member("app/b", tarfile.LNKTYPE, "app/a")
    tree = read_tree(archive(member("app/a"), linked, member("app/c", tarfile.LNKTYPE, "etc/shadow")), "/app")
    assert tree.files == {"a": File(content=b"x"), "b": File(content=b"x")}
    assert list(tree.others) == ["c"]


def test_git_and_caches_are_no_part_of_a_workspace() -> None:
    names = (".git/config", "a/.git/hooks/x", "__pycache__/a.pyc", "a.pyc", "sub/b.py")
    assert list(read_tree(archive(*(member(f"app/{name}") for name in names)), "/app").files) == ["sub/b.py"]


def test_a_workspace_that_became_a_link_is_refused() -> None:
    with pytest.raises(ValueError, match="no folder"):
        read_tree(archive(member("app", tarfile.SYMTYPE, "/etc")), "/app")
