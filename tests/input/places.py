"""Paths that lead to no file that could be read, and packed files that cannot be unpacked."""

import gzip
import os
from collections.abc import Callable
from pathlib import Path

from tests.input.broken import HEADER, OUTCOMES, ROW, Broken, nothing, of_file
from tests.input.tables import good_parquet

TEXT = HEADER + ROW
PACKED = gzip.compress((HEADER + "".join(f"a,c,{place},True\n" for place in range(5000))).encode())
PACKED_LINES = gzip.compress(b'{"model": "a", "case": "c", "passed": true}\n' * 5000)
CUT_OFF = "damaged or truncated"
NOT_PACKED = "not a gzip file; remove the suffix .gz"


def of_path(name: str, path: str, *says: str, prepare: Callable[[Path], None] = nothing) -> Broken:
    """Return a path that cannot be scored."""
    return Broken(name=name, argv=("score", path), where="error: ", says=says, prepare=prepare)


def symlink_loop(folder: Path) -> None:
    """Make two links that lead to each other."""
    (folder / "loop.csv").symlink_to("pool.csv")
    (folder / "pool.csv").symlink_to("loop.csv")


def dangling_link(folder: Path) -> None:
    """Make a link that leads nowhere."""
    (folder / "link.csv").symlink_to("gone.csv")


def folder_for_a_file(folder: Path) -> None:
    """Make a folder that is called like a file."""
    (folder / "runs.csv").mkdir()


def pipe(folder: Path) -> None:
    """Make a pipe into which nobody will ever write."""
    os.mkfifo(folder / "pipe.csv")


def odd_files(folder: Path) -> None:
    """Write files whose names say nothing that we could read."""
    for name in ("report.xlsx", "outcomes", "outcomes.csv.zst", "data.xml"):
        (folder / name).write_text(TEXT, encoding="utf-8")


PATHS = (
    of_path("no such file", "nowhere.csv", "nowhere.csv: no such file"),
    of_path(
        "a loop of links", "loop.csv", "loop.csv: cannot be opened", "symbolic links", prepare=symlink_loop
    ),
    of_path("a dangling link", "link.csv", "link.csv: is a link to gone.csv", prepare=dangling_link),
    of_path(
        "a folder in a file's place",
        "runs.csv",
        "runs.csv: is a folder; name the files in it",
        "'runs.csv/*.csv'",
        prepare=folder_for_a_file,
    ),
    of_path("the working folder", ".", ".: is a folder"),
    of_path(
        "a pipe", "pipe.csv", "pipe.csv: is a pipe or a device; save the outcomes to a file", prepare=pipe
    ),
    of_path("a device", "/dev/null", "/dev/null: is a pipe or a device"),
    of_path("a name of 300 characters", "n" * 300 + ".csv", "nnn", "File name too long", "(304 characters)"),
    of_path("a path of 5,000 characters", "n/" * 2500 + "x.csv", "n/n/n", "File name too long"),
    of_path("a NUL in a path", "a\0b.csv", "a\\x00b.csv: cannot be opened", "null byte"),
    of_path("an escape code in a path", "a\x1b(b.csv", "a\\x1b(b.csv: no such file"),
    of_path("half a character in a path", "a\udcffb.csv", "a\\udcffb.csv: no such file"),
    of_path("a pattern that nothing matches", "runs/*.csv", "runs/*.csv: no file matches this pattern"),
    of_path("a web address", "https://example.org/x.csv", "x.csv: no such file"),
    *(
        of_path(
            f"a file called {name}",
            name,
            f"{name}: unknown kind of file; outcomes are read from .csv",
            prepare=odd_files,
        )
        for name in ("report.xlsx", "outcomes", "outcomes.csv.zst", "data.xml")
    ),
)

PACKED_FILES = (
    of_file("packed data cut off", PACKED[: len(PACKED) // 2], ": ", CUT_OFF, file="x.csv.gz"),
    of_file("packed data cut off in the first bytes", PACKED[:5], ": ", CUT_OFF, file="x.csv.gz"),
    of_file("packed data without its end", PACKED[:-6], ": ", CUT_OFF, file="x.csv.gz"),
    of_file("packed JSON lines cut off", PACKED_LINES[:-20], ": ", CUT_OFF, file="x.jsonl.gz"),
    of_file("plain text named .gz", TEXT, ": ", NOT_PACKED, file="x.csv.gz"),
    of_file("plain JSON lines named .gz", '{"model": "a"}\n', ": ", NOT_PACKED, file="x.jsonl.gz"),
    of_file("an empty .gz file", b"", ": ", "is empty", file="x.csv.gz"),
    of_file("packed nothing", gzip.compress(b""), ": ", "is empty", file="x.csv.gz"),
    of_file("Parquet named .csv.gz", good_parquet, ": ", NOT_PACKED, file="x.csv.gz"),
    of_file("Parquet named .parquet.gz", good_parquet, ": ", "unpack it with gunzip", file="x.parquet.gz"),
    of_file("Parquet named .csv", good_parquet, ": ", "is not a text file", file="x.csv"),
)

OUTPUT = ("score", OUTCOMES, "-o")
OUTPUTS = (
    Broken(
        name="an output without a known suffix",
        files={OUTCOMES: TEXT},
        argv=(*OUTPUT, "report.pdf"),
        where="error: report.pdf: the suffix selects the format",
        says=("use one of .txt, .json, .md, .csv",),
    ),
    Broken(
        name="an output without any suffix",
        files={OUTCOMES: TEXT},
        argv=(*OUTPUT, "report"),
        where="error: report: the suffix selects the format",
        says=(".json",),
    ),
    Broken(
        name="an output below a file",
        files={OUTCOMES: TEXT},
        argv=(*OUTPUT, "outcomes.csv/report.json"),
        where="error: outcomes.csv/report.json: cannot be written",
        says=("exists",),
    ),
    Broken(
        name="an output in a folder's place",
        files={OUTCOMES: TEXT, "report.json/x": ""},
        argv=(*OUTPUT, "report.json"),
        where="error: report.json: cannot be written",
        says=("directory",),
    ),
    Broken(
        name="an output on a full disk",
        files={OUTCOMES: TEXT},
        prepare=lambda folder: (folder / "full.json").symlink_to("/dev/full"),
        argv=(*OUTPUT, "full.json"),
        where="error: full.json: cannot be written",
        says=("No space left",),
    ),
    Broken(
        name="an output where nobody may write",
        files={OUTCOMES: TEXT},
        argv=(*OUTPUT, "/proc/report.json"),
        where="error: /proc/report.json: cannot be written",
        says=("(",),
    ),
    Broken(
        name="a NUL in the path of an output",
        files={OUTCOMES: TEXT},
        argv=(*OUTPUT, "a\0b.json"),
        where="error: Invalid value for '--output'",
        says=("null byte",),
    ),
    Broken(
        name="a table of pass@k below a file",
        files={"m_fixes.csv": "oid,iteration_id,plausible_fix\n1,1,True\n", "problems.csv": "oid\n1\n"},
        argv=(
            *("pass-at-k", "--problems-csv", "problems.csv", "--fixes-csv", "m_fixes.csv", "--k-values", "1"),
            *("--save-to", "problems.csv/table.csv"),
        ),
        where="error: problems.csv/table.csv: cannot be written",
        says=("exists",),
    ),
)
