"""What the page on trouble quotes of providers is what the command prints; its other messages are run."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from typing_extensions import override

from tests.commands import Shown, typed
from tests.docs.pages import DOCS, Page

PAGE = Page(DOCS / "how-to" / "troubleshoot.md")
WORDS = b"""{"error": {"message": "the provider's own words"}}"""
CONFIG = """
[providers.lab]
kind = "openai"
base_url = "http://127.0.0.1:{port}/{status}/v1"
api_key_env = "LAB_KEY"
"""


class Refusal(BaseHTTPRequestHandler):
    """A provider that refuses every call with the status in its address."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(WORDS)))
        self.end_headers()
        self.wfile.write(WORDS)

    @override
    def log_message(self, format: str, *args: object) -> None:  # each call would be a line of the output
        pass


@contextmanager
def refusing() -> Iterator[int]:
    """Serve refusals; give the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[int]:
    """Go to a new project; give the port of a provider that refuses."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAB_KEY", "a-key-of-a-test")
    typed(capsys, "init", "project")
    with refusing() as port:
        yield port


def refused(capsys: pytest.CaptureFixture[str], port: int, status: int) -> Shown:
    """Draw from a provider that refuses all calls with a status."""
    Path("lab.toml").write_text(CONFIG.format(port=port, status=status), encoding="utf-8")
    words = ["--eval-set", "project/eval-sets/first.toml", "--models", "lab/m", "--samples", "1", "--retries"]
    return typed(capsys, "run", *words, "0", "--config", "lab.toml", "--run", "runs/r", "--quiet")


@pytest.mark.parametrize(("status", "place"), [(401, 1), (429, 2)])
def test_a_refusal_of_a_provider_is_quoted_as_it_is_printed(
    status: int, place: int, project: int, capsys: pytest.CaptureFixture[str]
) -> None:
    quoted = [block for block in PAGE.blocks if block.language == "text"][place]

    shown = refused(capsys, project, status)

    assert shown.code == 3
    assert "\n".join(quoted.lines) in shown.err


def test_a_run_that_did_not_end_is_listed_as_incomplete(
    project: int, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = refused(capsys, project, 401)

    assert "next: steelyard run --resume runs/r --config lab.toml" in shown.err
    assert "lists the run as `incomplete`" in " ".join(PAGE.text.split())
    assert typed(capsys, "runs").out.splitlines()[-1].endswith("incomplete")
