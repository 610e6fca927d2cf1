"""Start the real command on loopback and talk to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EVAL_SET = '''
[eval_set]
id = "small"
default_language = "python"
default_timeout_secs = 2

[[cases]]
id = "double"
prompt = "Double a number."
[cases.expectations]
function = "double"
calls = [{ args = [2], returns = 4 }, { args = [-1], returns = -2 }]

[[cases]]
id = "patient"
prompt = "Double a number."
timeout_secs = 60
[cases.expectations]
function = "double"
calls = [{ args = [2], returns = 4 }]

[[cases]]
id = "add"
prompt = "Add the two numbers of a line."
[cases.expectations]
io = [{ stdin = "1 2", stdout = "3" }, { stdin = "5 -7", stdout = "-2" }]

[[cases]]
id = "tested"
prompt = "Write `middle`, the median of three numbers."
[cases.expectations]
tests = """
def test_middle():
    assert middle([9, 1, 5]) == 5
"""

[[cases]]
id = "trap"
prompt = "Prove that 1 equals 2."
honeypot = true
[cases.expectations]
function = "proof"
calls = [{ args = [], returns = 1 }]
'''
DOUBLE = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n + 2\n"
START_S = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A reply of the service."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def json(self) -> Any:  # noqa: ANN401
        return json.loads(self.content)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.content.splitlines()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running service."""

    port: int
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def request(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] = {}
    ) -> Response:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, content, dict(headers))
        reply = connection.getresponse()
        response = Response(status=reply.status, headers=dict(reply.getheaders()), content=reply.read())
        connection.close()
        return response

    def check(self, case: str, completion: str, **fields: object) -> Any:  # noqa: ANN401
        body = {"eval_set": "small", "case": case, "completion": completion, **fields}
        response = self.request("POST", "/v1/check", body)
        assert response.status == 200, response.content
        return response.json

    def workers(self) -> list[int]:
        """Return the process numbers of the workers: the children of the fork server."""
        tree = subprocess.run(
            ["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rows = [(int(row.split()[0]), int(row.split()[1]), row) for row in tree]
        own = {self.process.pid}
        servers = {pid for pid, parent, row in rows if parent in own and "forkserver" in row}
        return [pid for pid, parent, _ in rows if parent in servers]


@contextmanager
def serving(
    folder: Path, *options: str, sets: Sequence[str] = (EVAL_SET,), env: Mapping[str, str] = {}
) -> Iterator[Server]:
    """Run `steelyard serve` with eval sets, and stop it."""
    paths = []
    for number, text in enumerate(sets):
        paths.append(folder / f"set-{number}.toml")
        paths[-1].write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "steelyard", "serve", *map(str, paths), "--port", "0", *options]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}, cwd=folder
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "http://" in line, line + process.stderr.read()
            server = Server(port=int(line.rsplit(":", 1)[1]), process=process)
            _wait_until_ready(server)
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=60)
            finally:
                process.kill()


def _wait_until_ready(server: Server) -> None:
    give_up_at = time.monotonic() + START_S
    while time.monotonic() < give_up_at and server.process.poll() is None:
        try:
            if server.request("GET", "/readyz").status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the service did not become ready")
