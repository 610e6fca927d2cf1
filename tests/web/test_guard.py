"""Only the browser that opened the secret link is answered, and only under the viewer's own name."""

import http.client
import re

import pytest

from steelyard.web.guard import ViewerAccess
from tests.web.site import Site

STRANGERS = (
    "evil.example",
    "evil.example:{port}",
    "localhost.evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1:1",
    "127.0.0.1",
    "user@127.0.0.1:{port}",
    "127.0.0.1:{port}/x",
    "[::ffff:127.0.0.2]:{port}",
    "192.168.0.7:{port}",
    "0.0.0.0:{port}",
    "",
    "127.0.0.1:port",
)
ORIGINS = (
    "http://evil.example",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "null",
    "http://localhost.evil.example:{port}",
    "file://",
    "http://127.0.0.1:{port}.evil.example",
)


@pytest.mark.parametrize("host", STRANGERS)
def test_another_host_name_is_refused_even_with_the_cookie(looked_at: Site, host: str) -> None:
    found = looked_at.ask("/", headers={"Host": host.format(port=looked_at.access.port)})

    assert found.status in {400, 421}
    assert "before" not in found.text


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}"])
def test_the_names_of_this_machine_are_known(looked_at: Site, host: str) -> None:
    assert looked_at.ask("/", headers={"Host": host.format(port=looked_at.access.port)}).status == 200


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_refused_even_with_the_cookie(looked_at: Site, origin: str, method: str) -> None:
    headers: dict[str, str | None] = {"Origin": origin.format(port=looked_at.access.port)}

    found = looked_at.ask("/", method=method, headers=headers)

    assert found.status == 403


@pytest.mark.parametrize("headers", [{}, {"Referer": "http://elsewhere.example/"}])
def test_a_request_that_writes_must_name_its_origin(looked_at: Site, headers: dict[str, str | None]) -> None:
    found = looked_at.ask("/r/x/c/1/0/marks", method="POST", body="label=note", headers=headers)

    assert found.status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])  # the latter: another port of this machine
def test_a_request_of_another_page_is_refused_by_what_the_browser_says(looked_at: Site, site: str) -> None:
    said: dict[str, str | None] = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}

    assert looked_at.ask("/", headers=said).status == 403


@pytest.mark.parametrize(
    "cookie", [None, "", "steelyard-1=x", "steelyard-{port}=", "steelyard-{port}=guess", "steelyard={cookie}"]
)
def test_without_the_cookie_nothing_is_shown(looked_at: Site, cookie: str | None) -> None:
    access = looked_at.access
    given = None if cookie is None else cookie.format(port=access.port, cookie=access.cookie)

    for path in ("/", "/assets/page.css", f"/r/{looked_at.run_id('before')}", "/nothing"):
        found = looked_at.ask(path, headers={"Cookie": given})
        assert found.status == 401
        assert "before" not in found.text


def test_the_link_gives_a_cookie_that_no_script_reads_and_leaves_the_address(looked_at: Site) -> None:
    found = looked_at.ask(f"/runs?token={looked_at.access.token}&x=1", headers={"Cookie": None})

    assert found.status == 200
    assert 'content="0;url=/runs?x=1"' in found.text
    assert looked_at.access.token not in found.text
    cookie = found.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert looked_at.access.token not in cookie


@pytest.mark.parametrize("token", ["", "guess", "{cookie}", "{token}x", "ä"])
def test_a_wrong_token_is_refused(looked_at: Site, token: str) -> None:
    from urllib.parse import quote  # noqa: PLC0415

    access = looked_at.access
    given = quote(token.format(cookie=access.cookie, token=access.token))

    assert looked_at.ask(f"/?token={given}", headers={"Cookie": None}).status == 403


def test_the_link_leads_to_no_other_site(looked_at: Site) -> None:
    for path in ("//evil.example/", "/\\evil.example/", "///evil.example"):
        found = looked_at.ask(f"{path}?token={looked_at.access.token}", headers={"Cookie": None})

        assert found.status == 200
        (way_on,) = re.findall(r'content="0;url=([^"]*)"', found.text)
        assert re.match(r"/[^/\\]", way_on)


def test_every_answer_forbids_frames_foreign_scripts_and_guessing(looked_at: Site) -> None:
    for path in ("/", "/nothing", "/assets/view.js", "/compare?before=x&after=y"):
        headers = looked_at.ask(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


def test_the_token_is_in_no_page_and_in_no_record(looked_at: Site) -> None:
    access = looked_at.access

    assert access.token not in repr(access)
    assert access.cookie not in repr(access)
    for path in ("/", f"/r/{looked_at.run_id('before')}"):
        assert access.token not in looked_at.page(path)


def test_two_host_headers_are_refused(looked_at: Site) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", looked_at.access.port, timeout=60)
    connection.putrequest("GET", "/", skip_host=True)
    for host in ("evil.example", f"127.0.0.1:{looked_at.access.port}"):
        connection.putheader("Host", host)
    connection.putheader("Cookie", looked_at.cookie()["Cookie"])
    connection.endheaders()

    assert connection.getresponse().status in {400, 421}
    connection.close()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"])
def test_pages_take_no_method_that_writes(looked_at: Site, method: str) -> None:
    found = looked_at.ask("/", method=method, headers={"Origin": looked_at.origin})

    assert found.status in {400, 404, 405}


def test_a_viewer_for_others_knows_addresses_and_no_foreign_names() -> None:
    access = ViewerAccess(host="0.0.0.0", port=8000)  # noqa: S104  # never listened on

    assert access.knows_host("192.168.0.7:8000")
    assert not access.knows_host("evil.example:8000")
