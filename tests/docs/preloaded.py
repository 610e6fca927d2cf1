"""Run the `steelyard` commands of pages in forks of one process, which has imported everything before.

Each import takes longer than most commands of a page. `python -m tests.docs.preloaded FD` is that process.
"""

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import mkdtemp

import steelyard.app
import steelyard.cli
from steelyard.cli.main import main
from tests.repo.package import REPOSITORY

MOST_BYTES = 1 << 20
BIN = Path(sys.executable).parent
LAZY = ("duckdb", "deltalake", "numpy")
# A program `steelyard` that passes its arguments and streams on; without `site` it starts at once.
CLIENT = """#!{python} -IS
import json, os, socket, sys
link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
link.connect({address!r})
message = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(link, [message], [0, 1, 2])
sys.exit(link.recv(1)[0])
"""


@cache
def program_folder(env: tuple[tuple[str, str], ...]) -> Path:
    """Start the process with an environment and return a folder with the program that uses it."""
    folder = Path(mkdtemp())
    address = folder / "socket"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(str(address))
        listener.listen()
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.docs.preloaded", str(listener.fileno())],
            cwd=REPOSITORY,
            env=dict(env),
            pass_fds=[listener.fileno()],
        )
    atexit.register(_stop, server)
    program = folder / "steelyard"
    program.write_text(CLIENT.format(python=sys.executable, address=str(address)), encoding="utf-8")
    program.chmod(0o755)
    return folder


def _stop(server: subprocess.Popen[bytes]) -> None:
    server.kill()
    server.wait()


def _serve(listener: socket.socket) -> None:
    """Fork for each command; returns in the fork that is to run it."""
    while True:
        link, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            return _become_command(link)
        link.close()
        _reap()


def _become_command(link: socket.socket) -> None:
    """Fork once more: one process runs the command, the other sends its exit code."""
    message, streams, _, _ = socket.recv_fds(link, MOST_BYTES, 3)
    command = os.fork()
    if command:
        _, status = os.waitpid(command, 0)
        link.send(bytes([os.waitstatus_to_exitcode(status) % 256]))
        os._exit(0)
    link.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    arguments, folder, env = json.loads(message)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [str(BIN / "steelyard"), *arguments]
    sys.path[:1] = [str(BIN), *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _preload() -> None:
    for package in (steelyard.app, steelyard.cli):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    for name in LAZY:
        import_module(name)
    gc.freeze()


if __name__ == "__main__":
    _preload()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    exit_code = main()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(exit_code)  # to take all modules apart would take longer than the command
