"""Files that come back by patterns: new and changed ones, plain ones, as many as there is room for."""

from steelyard.model.execution import Limits
from steelyard.ports import Sandbox
from tests.sandbox.backends import script


def test_changed_and_new_files_come_back_by_patterns(any_sandbox: Sandbox) -> None:
    source = """
import os, pathlib
pathlib.Path("src").mkdir(exist_ok=True)
for path in ("src/new.py", "src/changed.py", "deep.py", "notes.txt", "left/out.py"):
    pathlib.Path(path).parent.mkdir(exist_ok=True)
    pathlib.Path(path).write_text("mine")
os.symlink("/etc/passwd", "link.py")
os.symlink("/usr", "folder")
os.mkfifo("pipe.py")
pathlib.Path("locked").mkdir(); pathlib.Path("locked/in.py").write_text("mine"); os.chmod("locked", 0)
"""
    files = {"src/same.py": b"same", "src/changed.py": b"before", "asked": b"for"}
    command = script(source, files=files, keep=("asked",), keep_matching=("*.py", "!left/*", "!main.py"))

    result = any_sandbox.run(command)

    assert result.exit_code == 0, result.stderr.decoded()
    found = {path: text for path, text in result.files.items() if not path.startswith("locked")}
    assert found == {
        "asked": b"for",
        **dict.fromkeys(("deep.py", "src/changed.py", "src/new.py"), b"mine"),
    }


def test_what_has_no_room_is_told_by_name(sandbox: Sandbox) -> None:
    source = "open('a.txt', 'w').write('x' * 600); open('b.txt', 'w').write('x' * 600)"
    command = script(source, keep_matching=("*.txt",), limits=Limits(keep_bytes=1000))

    result = sandbox.run(command)

    assert (set(result.files), result.refused) == (
        {"a.txt"},
        {"b.txt": "600 bytes; only 400 remain"},
    )
