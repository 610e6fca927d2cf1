"""Members of archives are read one by one, also with Zstandard; the last of a name counts."""

import sys
import warnings
import zipfile
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.logs.archive import Archive

if sys.version_info >= (3, 14):
    packer = zipfile
else:
    from backports.zstd import zipfile as packer


def test_a_member_packed_with_zstandard_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with packer.ZipFile(path, "w", packer.ZIP_ZSTANDARD) as archive:
        archive.writestr("header.json", b"{}" * 1000)

    with Archive(path) as opened:
        assert opened.read("header.json") == b"{}" * 1000


def test_of_members_with_one_name_the_last_counts(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as archive:
        warnings.simplefilter("ignore")
        archive.writestr("a", "old")
        archive.writestr("a", "new")

    with Archive(path) as opened:
        assert opened.names() == ["a"]
        assert opened.read("a") == b"new"


def test_a_member_that_is_not_there_reads_as_none(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", "x")

    with Archive(path) as opened:
        assert opened.read("b") is None


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, packer.ZIP_ZSTANDARD])
def test_a_damaged_member_is_named(method: int, tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with packer.ZipFile(path, "w", method) as archive:
        archive.writestr("a", bytes(range(256)) * 100)
    data = bytearray(path.read_bytes())
    data[40:60] = b"\0" * 20
    path.write_bytes(data)

    with Archive(path) as opened, pytest.raises(InputError, match="'a' is damaged"):
        opened.read("a")
