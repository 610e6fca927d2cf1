"""A notebook shows the viewer in a frame, served by a process of its own."""

import http.client
import os
import select
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import steelyard
from steelyard.app.view.viewer import start_viewer
from steelyard.errors import InfrastructureError
from tests.web.runs import make_run


@pytest.mark.check_all
def test_a_run_shows_its_viewer_in_a_frame_that_a_notebook_may_hold(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1)
    shown = steelyard.open_run(tmp_path / "one").view(height=500)
    try:
        frame = shown._repr_html_()
        parts = urlsplit(shown.url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        connection.request("GET", f"/?{parts.query}")
        answer = connection.getresponse()

        assert 'src="http://localhost:' in frame
        assert "height: 500px" in frame
        assert answer.status == 200
        assert "frame-ancestors http://localhost:*" in str(answer.getheader("content-security-policy"))
        connection.close()
    finally:
        shown.close()
    assert shown.process.returncode is not None


@pytest.mark.check_all
def test_the_viewer_ends_with_a_kernel_that_is_killed(tmp_path: Path) -> None:
    make_run(tmp_path / "one", cases=1)
    lines = (
        f"import steelyard, time; shown = steelyard.open_run({str(tmp_path / 'one')!r}).view(); "
        f"print(shown.process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", lines], stdout=subprocess.PIPE, text=True) as kernel:
        assert kernel.stdout is not None
        viewer = os.pidfd_open(int(kernel.stdout.readline()))
        kernel.kill()
    ended, _, _ = select.select([viewer], [], [], 60)
    os.close(viewer)

    assert ended


@pytest.mark.check_all
def test_a_viewer_that_does_not_start_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"viewer.*start"):
        start_viewer(str(tmp_path / "nothing"), height=100)
