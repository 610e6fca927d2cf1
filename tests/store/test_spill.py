"""The folder for spilled rows is private, and does not outlive a killed process for long."""

import os
import subprocess
import sys
from pathlib import Path

STARTS = """
import os
from steelyard.store.spill import spill_folder
print(spill_folder(os.getpid()), flush=True)
"""


def started(folder: Path, then: str = "") -> Path:
    done = subprocess.run(
        [sys.executable, "-c", STARTS + then],
        env={**os.environ, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    return Path(done.stdout.strip())


def test_the_folder_goes_with_its_process(tmp_path: Path) -> None:
    assert started(tmp_path).parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    killed = started(tmp_path, "os.kill(os.getpid(), 9)")
    assert killed.is_dir()

    started(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    namespace = Path("/proc/self/ns/pid").stat().st_ino
    dead = 4_194_304  # higher than any process number
    kept = {
        f"steelyard-spill-{namespace}-{os.getpid()}-living",
        f"steelyard-spill-1-{dead}-elsewhere",
        f"steelyard-spill-{namespace}-{dead}-file",
        "steelyard-spill-older",
    }
    for name in kept - {f"steelyard-spill-{namespace}-{dead}-file"}:
        (tmp_path / name).mkdir()
    (tmp_path / "target").mkdir()
    (tmp_path / f"steelyard-spill-{namespace}-{dead}-file").symlink_to(tmp_path / "target")

    started(tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {*kept, "target"}
