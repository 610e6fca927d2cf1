"""Wheels of a few lines, and a machine that installs from them alone: no test needs an index."""

import zipfile
from pathlib import Path

import pytest

from steelyard.checks.toolchains.python.environment import interpreter_of

ABOUT = "Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(folder: Path, name: str, version: str, source: str, *, needs: str = "") -> None:
    """Write a package of one module."""
    about = ABOUT.format(name=name, version=version) + (f"Requires-Dist: {needs}\n" if needs else "")
    inside = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", source)
        wheel.writestr(f"{inside}/METADATA", about)
        wheel.writestr(f"{inside}/WHEEL", WHEEL)
        wheel.writestr(f"{inside}/RECORD", "")


def use_wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let packages come from a new folder of wheels, and go to a new cache; return that of the cache."""
    wheels, cache = tmp_path / "wheels", tmp_path / "cache"
    wheels.mkdir()
    for version in ("1.0", "2.0"):
        write_wheel(
            wheels, "weights", version, f"VERSION = {version!r}\ndef grams(): return {version} * 1000\n"
        )
    write_wheel(wheels, "scales", "1.0", "import weights\n", needs="weights")
    for tool in ("UV", "PIP"):
        monkeypatch.setenv(f"{tool}_FIND_LINKS", str(wheels))
        monkeypatch.setenv(f"{tool}_NO_INDEX", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    interpreter_of.cache_clear()  # what was found belongs to another cache
    return cache / "steelyard" / "environments"
