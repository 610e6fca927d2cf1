"""Records of benchmarks are read from the files that benchmarks come in."""

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from steelyard.errors import InputError
from steelyard.sources.benchmark_data.records import read_records

LINES = '{"id": 1}\n\n{"id": 2, "text": "a\u2028b"}\n'
RECORDS = [{"id": 1}, {"id": 2, "text": "a\u2028b"}]


def bare(path: Path) -> list[dict[str, object]]:
    found = [dict(record) for record in read_records(path)]
    assert {record.pop("file") for record in found} <= {path.name}
    return found


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", LINES.encode()),
        ("a.jsonl.gz", gzip.compress(LINES.encode(), mtime=0)),
        ("a.json", LINES.encode()),
        ("a.json", b'[{"id": 1}, {"id": 2, "text": "a\\u2028b"}]'),
        ("a.json", b'{"x": {"id": 1}, "y": {"id": 2, "text": "a\\u2028b"}}'),
    ],
)
def test_records_are_the_same_whatever_the_form_of_the_file(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)

    assert bare(tmp_path / name) == RECORDS


def test_rows_of_csv_may_hold_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('id,text\n1,"a\nb"\n', encoding="utf-8")

    assert bare(tmp_path / "a.csv") == [{"id": "1", "text": "a\nb"}]


def test_an_archive_gives_its_text_files_and_writes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "a.tar.gz"
    with tarfile.open(place, "w:gz") as archive:
        for name, data in (("x/../../one.py", b"x = 1\n"), ("two.png", b"\0\1")):
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))

    assert bare(place) == [{"path": "x/../../one.py", "text": "x = 1\n"}]
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar.gz"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jsonl", b"[1]\n"),
        ("a.jsonl", b"{"),
        ("a.json", b"7"),
        ("a.jsonl.gz", gzip.compress(LINES.encode(), mtime=0)[:20]),
        ("a.jsonl", b"\xff"),
        ("a.tar.gz", b"no archive"),
        ("a.parquet", b""),
    ],
)
def test_what_is_no_such_file_is_said_with_its_name(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)

    with pytest.raises(InputError, match=r"(a\.|line 1|record 1)"):
        list(read_records(tmp_path / name))


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text,text\n1,a,b\n", encoding="utf-8")

    with pytest.raises(InputError, match="'text'"):
        bare(tmp_path / "a.csv")
