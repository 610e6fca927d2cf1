"""A real S3-speaking server on loopback, for as long as a test module needs it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import sleep
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

RUNNING = re.compile(rb"Running on (http://127\.0\.0\.1:\d+)")
PATIENCE = 600  # tenths of a second
SECRET = "a-secret-that-no-message-may-show"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": SECRET}


@contextmanager
def s3_server() -> Iterator[str]:
    """Start a server on a free port, point the environment at it, and stop it whatever happens."""
    with (
        # A pipe would fill up with a line for each request, and then the server would wait for us.
        NamedTemporaryFile() as log,
        subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
            stdout=subprocess.DEVNULL,
            stderr=log,
            # What the server itself runs is none of our code.
            env={name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")},
        ) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        try:
            address = _address(server, Path(log.name))
            for name, value in CREDENTIALS.items():
                patch.setenv(name, value)
            patch.setenv("AWS_ENDPOINT_URL", address)
            patch.setenv("AWS_ALLOW_HTTP", "true")
            patch.setenv("AWS_REGION", "us-east-1")
            yield address
        finally:
            server.kill()


def new_bucket(server: str) -> str:
    """Make a bucket that nobody has used before and return its address."""
    name = f"runs-{uuid4().hex}"
    with urlopen(Request(f"{server}/{name}", method="PUT")):  # noqa: S310  # our own server
        return f"s3://{name}"


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    for _ in range(PATIENCE):
        if found := RUNNING.search(log.read_bytes()):
            return found[1].decode()
        if server.poll() is not None:
            break
        sleep(0.1)
    raise RuntimeError(f"the S3 server did not start: {log.read_text(encoding='utf-8')}")
