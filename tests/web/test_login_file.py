"""The browser is started with a file that leads in, so that no command line shows the token."""

import stat
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from steelyard.app.view.viewer import open_viewer
from steelyard.web import server
from steelyard.web.login_file import login_file
from tests.web.runs import make_run

LINK = "http://127.0.0.1:1/?token=secret"


def test_only_this_user_can_read_the_way_in_and_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with login_file(LINK) as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert f"0;url={LINK}" in path.read_text(encoding="utf-8")

    assert list(tmp_path.iterdir()) == []


def test_what_the_browser_is_started_with_holds_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_run(tmp_path / "one", cases=1, samples=1)
    links, started = list[str](), list[str]()
    monkeypatch.setattr(webbrowser, "open", started.append)
    # The server ends at once: what is looked at has happened before.
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: _until(lambda: bool(started)))

    server.serve(open_viewer(tmp_path / "one"), announce=links.append, open_browser=True)

    (link,), (opened,) = links, started
    assert opened.startswith("file://")
    assert link.partition("token=")[2] not in opened


def _until(is_true: Callable[[], bool]) -> None:
    while not is_true():
        time.sleep(0.01)
