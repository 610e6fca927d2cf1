"""Installing packages: pinned wheels, once, and whole or not at all."""

import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steelyard.checks.toolchains.python.environment import cached_packages, installed, package_folder
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.errors import InfrastructureError, InputError, UserError
from tests.wheels import use_wheels

PINNED = "weights==1.0\n"
INSTALL = (
    "from steelyard.checks.toolchains.python.environment import installed;"
    "from steelyard.checks.toolchains.python.interpreter import this_interpreter;"
    f"print(installed({PINNED!r}, this_interpreter()))"
)
# An installer that writes half of a package and then takes its time.
SLOW = """#!/bin/sh
while [ "$1" != --target ]; do shift; done
mkdir -p "$2" && echo half > "$2/weights.py" && touch "{started}"
exec sleep 600
"""
COUNTED = """#!/bin/sh
echo once >> "{calls}"
exec "{uv}" "$@"
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return use_wheels(tmp_path, monkeypatch)


def program(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def version_in(folder: Path | None) -> str:
    assert folder is not None
    return (folder / "weights.py").read_text(encoding="utf-8").splitlines()[0]


def test_the_pinned_version_is_installed_and_not_the_newest() -> None:
    assert version_in(installed(PINNED, this_interpreter())) == "VERSION = '1.0'"
    assert version_in(installed("weights==2.0", this_interpreter())) == "VERSION = '2.0'"


@pytest.mark.check_all
def test_pip_installs_where_there_is_no_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = this_interpreter().program
    asked = subprocess.run([python, "-m", "pip", "--version"], capture_output=True, check=False)
    if asked.returncode:
        pytest.skip("this Python has no pip")
    program(tmp_path / "bin", "pip3", f'#!/bin/sh\nexec "{python}" -m pip "$@"\n')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    if shutil.which("uv"):
        pytest.skip("uv lies where the system's programs are")

    assert version_in(installed(PINNED, this_interpreter())) == "VERSION = '1.0'"


def test_without_an_installer_the_user_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("steelyard.checks.toolchains.python.install.find_spec", lambda _: None)

    with pytest.raises(InfrastructureError, match="pip install uv"):
        installed(PINNED, this_interpreter())


def test_no_package_means_no_folder(cache: Path) -> None:
    assert installed("# nothing\n", this_interpreter()) is None
    assert not cache.exists()


def test_a_package_without_a_version_is_refused(cache: Path) -> None:
    with pytest.raises(InputError, match="'weights'"):
        installed("weights", this_interpreter())

    assert not cache.exists()


@pytest.mark.check_all
def test_a_package_that_does_not_exist_is_told_and_nothing_stays(cache: Path) -> None:
    with pytest.raises(UserError, match=r"(?s)cannot be installed:.*weights==3\.0"):
        installed("weights==3.0", this_interpreter())

    assert [path for path in cache.iterdir() if path.suffix != ".lock"] == []


def test_no_address_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = "#!/bin/sh\necho 'cannot reach https://me:secret@example.org/simple now' >&2\nexit 1\n"
    program(tmp_path / "bin", "uv", failing)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    with pytest.raises(UserError) as refused:
        installed(PINNED, this_interpreter())

    assert "cannot reach (address) now" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.check_all
def test_what_a_package_needs_must_be_listed_too() -> None:
    with pytest.raises(UserError, match=r"add weights==2\.0"):
        installed("scales==1.0", this_interpreter())

    assert installed("scales==1.0\nweights==1.0", this_interpreter()) is not None


@pytest.mark.check_all
def test_files_are_for_all_to_read_and_for_none_to_write() -> None:
    before = os.umask(0o077)
    try:
        folder = installed(PINNED, this_interpreter())
    finally:
        os.umask(before)

    assert folder is not None
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert modes <= {0o444, 0o555}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert list(folder.glob("__pycache__/weights.*.pyc"))  # a sandbox could not keep what it compiles


@pytest.mark.check_all
def test_two_at_once_install_once(tmp_path: Path, cache: Path) -> None:
    uv = shutil.which("uv") or shutil.which("uv", path=Path(sys.executable).parent)
    if uv is None:
        pytest.skip("there is no uv")
    calls = tmp_path / "calls"
    program(tmp_path / "bin", "uv", COUNTED.format(calls=calls, uv=uv))
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}

    both = [
        subprocess.Popen([sys.executable, "-c", INSTALL], env=env, stdout=subprocess.PIPE) for _ in range(2)
    ]
    folders = {process.communicate(timeout=100)[0].strip() for process in both}

    assert folders == {str(package_folder(PINNED, this_interpreter()) / "packages").encode()}
    assert calls.read_text().splitlines() == ["once"]
    assert cached_packages().count == 1
    assert cached_packages().folder == cache


@pytest.mark.check_all
def test_a_killed_install_leaves_nothing_that_is_taken_for_whole(tmp_path: Path) -> None:
    process, folder = begun_install(tmp_path)

    os.killpg(process.pid, signal.SIGKILL)
    process.wait()

    assert not folder.exists()
    assert version_in(installed(PINNED, this_interpreter())) == "VERSION = '1.0'"


def test_an_installer_that_outlives_its_steelyard_keeps_others_out(tmp_path: Path) -> None:
    process, folder = begun_install(tmp_path)

    process.kill()
    process.wait()

    with folder.with_suffix(".lock").open("w") as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.killpg(process.pid, signal.SIGKILL)


def begun_install(tmp_path: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """Start an install that is half done, in a group of processes of its own."""
    started = tmp_path / "started"
    program(tmp_path / "bin", "uv", SLOW.format(started=started))
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    process = subprocess.Popen([sys.executable, "-c", INSTALL], env=env, start_new_session=True)
    for _ in range(1000):
        if started.exists():
            break
        time.sleep(0.1)
    assert started.exists()
    return process, package_folder(PINNED, this_interpreter())
