"""Extend a command so that it reaches the proxy from a sandbox without network."""

import sys
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from steelyard.model.execution import Bind, Command
from steelyard.model.python_folders import python_binds
from steelyard.providers.command.egress.allow_list import AllowList
from steelyard.providers.command.words import FOLDER

FORWARDER = f"{FOLDER}/forward.py"
PROXY = f"{FOLDER}/proxy.sock"
OWN_LOOPBACK = ("localhost", "127.0.0.1", "::1")  # of the sandbox, unless the user lists this machine's
FLAGS = ("-I", "-S", "-B")
# Certificate folders of common distributions; they contain no secrets.
CERTIFICATES = ("/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted")


def with_proxy(command: Command, path: Path, allowed: AllowList) -> Command:
    """Return the command behind the forwarder, with the proxy's socket mounted."""
    direct = ",".join(name for name in OWN_LOOPBACK if not allowed.names_address(name))
    program, shown = _find_interpreter()
    binds = [*command.binds, *shown, *certificates(), Bind(source=str(path), at=PROXY)]
    return replace(
        command,
        argv=(program, *FLAGS, FORWARDER, PROXY, direct, *command.argv),
        files={**command.files, FORWARDER: _forwarder_command()},
        binds=tuple(dict.fromkeys(binds)),
        loopback=True,
    )


def certificates(folders: tuple[str, ...] = CERTIFICATES) -> list[Bind]:
    """Return this machine's certificate folders."""
    return [Bind(source=folder) for folder in folders if Path(folder).is_dir()]


@cache
def _forwarder_command() -> bytes:
    return files(__package__).joinpath("forward.py").read_bytes()


@cache
def _find_interpreter() -> tuple[str, tuple[Bind, ...]]:
    """Return Steelyard's Python, and the folders to mount for it."""
    program = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    return str(program), python_binds(program, Path(sys.base_prefix))
