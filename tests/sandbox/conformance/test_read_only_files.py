"""Every sandbox that isolates: around read-only files there is a workspace like any other."""

from steelyard.model.execution import MIB, Command, Limits
from steelyard.ports import Sandbox
from tests.sandbox.backends import script
from tests.sandbox.traces import left_since, traces

GIVEN = {"expected.txt": b"3", "data/rows.json": b"[]", "data/deep/more.json": b"{}", "other/free.txt": b"1"}
READ_ONLY = frozenset(GIVEN) - {"other/free.txt"}


def command(source: str, **options: object) -> Command:
    return script(source, files=GIVEN, read_only=READ_ONLY, **options)


def test_files_around_read_only_ones_are_written_and_come_back(sandbox: Sandbox) -> None:
    source = """
import os, shutil
for folder in (".", "data", "data/deep", "/box/work/data/deep", "other"):
    with open(f"{folder}/new", "a") as file: file.write(folder)
    os.rename(f"{folder}/new", f"{folder}/out.txt")
os.mkdir("data/made"); open("data/made/out.txt", "w").write("made")
os.rename("data/made", "data/moved")
open("data/gone", "w").close(); os.unlink("data/gone")
open("other/free.txt", "w").write("2"); os.rename("other", "elsewhere")
open("/box/tmp/out.txt", "w").write("from elsewhere")
shutil.move("/box/tmp/out.txt", "data/deep/moved.txt")
os.symlink("deep", "data/link")
print(*sorted(os.listdir("data")))
"""
    wanted = ("out.txt", "data/deep/moved.txt", "data/link/moved.txt")

    result = sandbox.run(command(source, keep=wanted, keep_matching=("*.txt", "*.json")))

    assert result.stderr.decoded() == ""
    assert result.stdout.text == b"deep link moved out.txt rows.json\n"
    assert result.files == {
        "out.txt": b".",
        "data/out.txt": b"data",
        "data/deep/out.txt": b"/box/work/data/deep",
        "data/deep/moved.txt": b"from elsewhere",
        "data/moved/out.txt": b"made",
        "elsewhere/out.txt": b"other",
        "elsewhere/free.txt": b"2",
    }
    assert result.refused == {"data/link/moved.txt": "a parent is a link or not a folder"}


def test_the_folders_of_read_only_files_have_a_size_too(sandbox: Sandbox) -> None:
    source = """
import errno
for folder in (".", "data", "data/deep"):
    try:
        for number in range(100):
            with open(f"{folder}/f{number}", "wb") as file: file.write(bytes(1_000_000))
    except OSError as error:
        print(errno.errorcode[error.errno], number <= 8)
"""
    result = sandbox.run(command(source, limits=Limits(workspace_bytes=8 * MIB)))

    assert result.stdout.decoded().splitlines() == ["ENOSPC True"] * 3


def test_a_folder_of_read_only_files_says_that_it_cannot_be_moved(sandbox: Sandbox) -> None:
    source = """
import errno, os
open("/box/tmp/new", "w").close()
for act in (lambda: os.rename("/box/work", "/box/old"), lambda: os.rename("data", "old"),
            lambda: os.rename("data/deep", "data/old"), lambda: os.rename("/box/tmp/new", "data/new")):
    try: act()
    except OSError as error: print(errno.errorcode[error.errno])
"""
    result = sandbox.run(command(source))

    outer, *inner = result.stdout.decoded().split()
    assert outer in {"EBUSY", "EACCES"}  # a container's box is not the command's to begin with
    assert inner == ["EBUSY", "EBUSY", "EXDEV"]


def test_a_command_without_read_only_files_may_move_its_folders(sandbox: Sandbox) -> None:
    source = """
import os
os.rename("data", "old")
open("/box/tmp/new", "w").close(); os.rename("/box/tmp/new", "new")
print(*sorted(os.listdir(".")))
"""
    result = sandbox.run(script(source, files=GIVEN, keep=("old/rows.json",)))

    assert result.stdout.text == b"expected.txt main.py new old other\n", result.stderr.decoded()
    assert result.files == {"old/rows.json": b"[]"}


def test_nothing_is_left_of_the_folders_of_read_only_files(sandbox: Sandbox) -> None:
    sandbox.run(command("pass", keep=("data/out.txt",)))
    before = traces()

    for source in ("open('data/out.txt', 'w')", "import os; os.chmod('data', 0)", "raise SystemExit(3)"):
        sandbox.run(command(source, keep=("data/out.txt",)))

    assert left_since(before, traces) == {}
