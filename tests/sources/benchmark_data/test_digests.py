"""A file is known by its bytes; an archive by the files in it, however they are packed."""

import io
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from steelyard.sources.benchmark_data.digests import digest_of

PATTERN = "*/practice/*"
FILES = {"go/practice/a/a.go": "package a", "rust/practice/b/b.rs": "fn b() {}"}


def packed(path: Path, files: Mapping[str, str], *, top: str = "top", mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]  # a mode is a text here
        for name, text in files.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def test_a_file_is_known_by_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"data")

    assert digest_of(tmp_path / "data") == sha256(b"data").hexdigest()


def test_an_archive_that_is_packed_otherwise_is_the_same(tmp_path: Path) -> None:
    one = packed(tmp_path / "one.tar.gz", FILES)
    files = {**dict(reversed(FILES.items())), "LICENSE": "MIT"}
    other = packed(tmp_path / "other.tar.gz", files, top="another-top", mode="w")

    assert digest_of(one) != digest_of(other)
    assert digest_of(one, PATTERN) == digest_of(other, PATTERN)


def test_an_archive_with_another_file_is_another_one(tmp_path: Path) -> None:
    known = digest_of(packed(tmp_path / "one.tar.gz", FILES), PATTERN)
    changes = [{"go/practice/a/a.go": "package b"}, {"go/practice/a/c.go": "package a"}]

    for number, change in enumerate(changes):
        changed = packed(tmp_path / f"{number}.tar.gz", {**FILES, **change})

        assert digest_of(changed, PATTERN) != known


def test_what_is_no_archive_has_the_digest_of_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "no.tar.gz").write_bytes(b"no archive")

    assert digest_of(tmp_path / "no.tar.gz", PATTERN) == sha256(b"no archive").hexdigest()
