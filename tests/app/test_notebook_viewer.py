"""A notebook shows the viewer in a frame, served by a process of its own."""

import http.client
from pathlib import Path
from urllib.parse import urlsplit

import steelyard
from tests.web.runs import make_run


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
