"""The kind of fault that each HTTP status stands for."""

import pytest

from steelyard.providers.llm.errors import Refused


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_status_about_the_moment_is_retried(status: int) -> None:
    assert Refused(status, b"").kind.may_retry


@pytest.mark.parametrize("status", [301, 400, 401, 402, 403, 404, 413, 422])
def test_a_status_about_the_request_is_not_retried(status: int) -> None:
    assert not Refused(status, b"").kind.may_retry
