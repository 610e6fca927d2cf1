"""Beyond loopback a token is needed, and a service with a token answers nobody without it."""

from pathlib import Path

import pytest

from steelyard.errors import UserError
from steelyard.service.access import Access
from tests.service.servers import DOUBLE, serving


def test_a_service_for_other_machines_needs_a_token() -> None:
    with pytest.raises(UserError, match="token"):
        Access(host="0.0.0.0")  # noqa: S104


def test_requests_need_the_token(tmp_path: Path) -> None:
    body = {"eval_set": "small", "case": "double", "completion": DOUBLE}
    with serving(tmp_path, "--workers", "1", env={"STEELYARD_SERVE_TOKEN": "k3y"}) as server:
        assert server.request("POST", "/v1/check", body).status == 401
        assert server.request("POST", "/v1/check", body, {"Authorization": "Bearer other"}).status == 401
        assert (
            server.request("POST", "/v1/check", body, {"Authorization": "Bearer k3y"}).json["reward"] == 1.0
        )
        assert server.request("GET", "/readyz").status == 200
