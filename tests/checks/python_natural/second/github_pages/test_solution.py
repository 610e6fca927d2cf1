import httpx
import pytest

from solution import GitHub, RateLimited, RepoNotFound

BASE = "https://api.github.test"


class FakeGitHub:
    def __init__(self):
        self.requests = []
        self.pages = {
            "1": [{"number": 1}, {"number": 2, "pull_request": {}}],
            "2": [{"number": 3}],
            "3": [{"number": 4, "pull_request": None}, {"number": 5}],
        }

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if "missing" in request.url.path:
            return httpx.Response(404, json={"message": "Not Found"})
        if "limited" in request.url.path:
            return httpx.Response(403, headers={"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000000"})
        if "private" in request.url.path:
            return httpx.Response(403, headers={"X-RateLimit-Remaining": "42"})
        page = request.url.params.get("page", "1")
        following = str(int(page) + 1)
        headers = {}
        if following in self.pages:
            headers["Link"] = f'<{BASE}/repositories/7/issues?page={following}>; rel="next", <{BASE}/x>; rel="last"'
        return httpx.Response(200, json=self.pages[page], headers=headers)


@pytest.fixture
def server():
    return FakeGitHub()


@pytest.fixture
def github(server):
    with httpx.Client(transport=httpx.MockTransport(server), base_url=BASE) as client:
        yield GitHub(client)


def test_all_pages_without_pull_requests(github):
    assert [issue["number"] for issue in github.list_issues("psf/black")] == [1, 3, 5]


def test_first_request(github, server):
    github.list_issues("psf/black", state="closed")
    first = server.requests[0]
    assert first.method == "GET"
    assert first.url.path == "/repos/psf/black/issues"
    assert dict(first.url.params) == {"state": "closed", "per_page": "100"}
    assert len(server.requests) == 3


def test_single_page(github, server):
    server.pages = {"1": []}
    assert github.list_issues("psf/black") == []
    assert len(server.requests) == 1


def test_not_found(github):
    with pytest.raises(RepoNotFound, match="me/missing"):
        github.list_issues("me/missing")


def test_rate_limit(github):
    with pytest.raises(RateLimited) as info:
        github.list_issues("me/limited")
    assert info.value.reset == 1700000000


def test_other_403(github):
    with pytest.raises(httpx.HTTPStatusError) as info:
        github.list_issues("me/private")
    assert info.value.response.status_code == 403
