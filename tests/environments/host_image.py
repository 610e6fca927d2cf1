"""Make images out of this machine's own programs, without a registry."""

import io
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest

LIBRARY = re.compile(r"(/\S+) \(0x")
ACCOUNTS = "root:x:0:0:root:/root:/bin/sh\nagent:x:1000:1000::/app:/bin/sh\n"
GROUPS = "root:x:0:\nagent:x:1000:\n"
LINKS = {"bin": "usr/bin", "sbin": "usr/sbin", "lib": "usr/lib", "lib64": "usr/lib64"}
SHELL = (
    "sh",
    "bash",
    "sleep",
    "mkdir",
    "rm",
    "cat",
    "chown",
    "cp",
    "id",
    "ln",
    "sed",
    "xargs",
    "mkfifo",
    "seq",
)
PYTEST = ("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments")


def host_image(programs: Iterable[str] = SHELL, *, python: bool = False) -> bytes:
    """Return the archive of a file system with some programs of this machine, and what they load."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        _add_skeleton(tar)
        files = {
            path for program in programs for path in _with_libraries(Path(shutil.which(program) or program))
        }
        if python:
            files |= _python_files()
            _add_pytest(tar)
        for path in sorted(files):
            tar.add(path.resolve(), arcname=_inside(path), recursive=False)
    return buffer.getvalue()


def _add_skeleton(tar: tarfile.TarFile) -> None:
    for name in ("usr", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "etc", "root", "run", "var"):
        tar.addfile(_folder(name))
    tar.addfile(_folder("tmp", mode=0o1777))
    for name in ("app",):
        tar.addfile(_folder(name, owner=1000))
    for name, target in LINKS.items():
        link = tarfile.TarInfo(name)
        link.type, link.linkname = tarfile.SYMTYPE, target
        tar.addfile(link)
    for name, text in (("etc/passwd", ACCOUNTS), ("etc/group", GROUPS)):
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(text), 0o644
        tar.addfile(member, io.BytesIO(text.encode()))


def _folder(name: str, *, mode: int = 0o755, owner: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode, member.uid, member.gid = tarfile.DIRTYPE, mode, owner, owner
    return member


def _with_libraries(path: Path) -> set[Path]:
    listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
    return {path, *map(Path, LIBRARY.findall(listed))}


def _python_files() -> set[Path]:
    """Return the files of the distribution's own Python."""
    program = Path("/usr/bin/python3")
    library = Path("/usr/lib", program.resolve().name)
    modules = {
        path
        for path in library.rglob("*")
        if path.is_file() and not {"__pycache__", "test", "idlelib"} & set(path.parts)
    }
    loaded = {item for path in modules if path.suffix == ".so" for item in _with_libraries(path)}
    return {*_with_libraries(program), *modules, *loaded}


def _add_pytest(tar: tarfile.TarFile) -> None:
    packages = Path(pytest.__file__).parents[1]
    for name in PYTEST:
        tar.add(packages / name, arcname=f"usr/lib/python3/dist-packages/{name}", filter=_without_caches)


def _without_caches(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if "__pycache__" in member.name else member


def _inside(path: Path) -> str:
    """Return a path without the links at the root."""
    first, *rest = path.parts[1:]
    return "/".join([LINKS.get(first, first), *rest])
