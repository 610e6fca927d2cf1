"""What lies in the folder where Steelyard is called runs nothing, and steers no tool of this machine."""

import platform
import shutil
from pathlib import Path

import pytest

from steelyard.app.doctor import first_line
from steelyard.checks.toolchains.python.environment import installed
from steelyard.checks.toolchains.python.find_python import find_python
from steelyard.checks.toolchains.python.interpreter import this_interpreter
from steelyard.checks.toolchains.rust.toolchain import find_toolchain
from tests.wheels import use_wheels

PINNED = "weights==1.0\n"
NO_INDEX = '[[index]]\nurl = "http://127.0.0.1:9/"\ndefault = true\n'


@pytest.fixture
def sprung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a folder full of traps; return the file that is there once one has sprung."""
    use_wheels(tmp_path, monkeypatch)
    here, mark = tmp_path / "checkout", tmp_path / "sprung"
    tools = here / "tools" / "bin"
    tools.mkdir(parents=True)
    for module in ("pip", "compileall", "json", "sysconfig"):
        (here / f"{module}.py").write_text(f"open({str(mark)!r}, 'w').close()\n", encoding="utf-8")
    for tool in ("rustc", "cargo", "clippy-driver"):
        (tools / tool).write_text(f"#!/bin/sh\ntouch {mark}\n", encoding="utf-8")
        (tools / tool).chmod(0o755)
    path = f'[toolchain]\npath = "{here / "tools"}"\n'
    (here / "rust-toolchain.toml").write_text(path, encoding="utf-8")
    (here / "uv.toml").write_text(NO_INDEX, encoding="utf-8")
    monkeypatch.chdir(here)
    return mark


@pytest.mark.check_all
def test_pip_is_the_one_that_is_installed(sprung: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.checks.toolchains.python.install.shutil.which", lambda _: None)

    found = installed(PINNED, this_interpreter())

    assert found is not None
    assert (found / "weights.py").is_file()
    assert not sprung.exists()


@pytest.mark.check_all
def test_uv_takes_no_index_from_the_folder(sprung: Path) -> None:
    found = installed(PINNED, this_interpreter())

    assert found is not None
    assert (found / "weights.py").is_file()
    assert not sprung.exists()


def test_a_python_is_asked_and_compiles_in_peace(sprung: Path) -> None:
    find_python.cache_clear()

    assert find_python(platform.python_version()).build
    assert not sprung.exists()


def test_the_toolchain_of_rust_is_the_user_s(sprung: Path) -> None:
    assert find_toolchain().version.startswith("rustc")
    for tool in ("rustc", "cargo"):
        assert first_line((shutil.which(tool) or tool, "--version")).line.startswith(tool)
    assert not sprung.exists()
