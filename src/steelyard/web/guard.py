"""Accept only requests of the browser that opened the secret link.

Pages of other sites can send requests to this machine, but they cannot read the token, their requests have
another origin or host, and the cookie is not sent with them.
"""

import secrets
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from steelyard.web.login_file import redirect_page

LOOPBACK = ("127.0.0.1", "localhost", "::1")
READS = frozenset({"GET", "HEAD"})
TOKEN = "token"
ICON = "/assets/icon.svg"  # otherwise browsers request /favicon.ico
LONGEST_QUERY = 20_000  # characters
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors {ancestors}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewerAccess:
    """The address of the server, and its two secrets."""

    host: str = "127.0.0.1"
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    is_framed: bool = False  # shown in a frame of a notebook on this machine

    @property
    def cookie_name(self) -> str:
        """The cookie's name, with the port: cookies are shared by all ports of a host."""
        return f"steelyard-{self.port}"

    @property
    def url(self) -> str:
        """The link that opens the viewer."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/?{TOKEN}={self.token}"

    def knows_host(self, host: str) -> bool:
        """Whether a Host header names this server (protection against DNS rebinding).

        >>> access = ViewerAccess(port=80)
        >>> access.knows_host("127.0.0.1:80"), access.knows_host("evil.example:80")
        (True, False)
        >>> ViewerAccess(host="MyBox", port=80).knows_host("mybox:80")
        True
        """
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port or parts.username is not None or parts.path:
            return False
        is_own = name == self.host.lower()  # browsers and `urlsplit` lower-case names
        return name in LOOPBACK or is_own or (self.host not in LOOPBACK and _is_address(name))

    def knows_origin(self, origin: str) -> bool:
        """Whether an Origin header names a page of this server."""
        return origin.startswith("http://") and self.knows_host(origin.removeprefix("http://"))


class Guard:
    """Pass requests to the application or reject them; adds security headers to every response."""

    def __init__(self, app: ASGIApp, access: ViewerAccess) -> None:
        self._app, self._access = app, access
        ancestors = "http://localhost:* http://127.0.0.1:*" if access.is_framed else "'none'"
        self._headers = {
            "content-security-policy": POLICY.format(ancestors=ancestors),
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",  # without a referrer, forms would send no origin
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
            "cache-control": "no-store",
            **({} if access.is_framed else {"x-frame-options": "DENY"}),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        response = self._rejection(scope) or self._login(scope)
        await (response or self._app)(scope, receive, protected)

    def _rejection(self, scope: Scope) -> Response | None:
        """Return the response to a request that is rejected regardless of secrets, or None."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._access.knows_host(hosts[0]):
            return PlainTextResponse("Wrong host: this viewer has another address.\n", 421)
        origin = headers.get("origin")
        if origin is not None and not self._access.knows_origin(origin):
            return PlainTextResponse("Requests from other sites are refused.\n", 403)
        if scope["method"] not in READS and origin is None:
            return PlainTextResponse("A request that writes needs an Origin header.\n", 403)
        is_visit = headers.get("sec-fetch-mode", "navigate") == "navigate" and scope["method"] in READS
        if headers.get("sec-fetch-site") in {"cross-site", "same-site"} and not is_visit:
            return PlainTextResponse("Requests from other sites are refused.\n", 403)
        if len(scope["query_string"]) > LONGEST_QUERY:
            return PlainTextResponse("The address is too long.\n", 414)
        return None

    def _login(self, scope: Scope) -> Response | None:
        """Return a login response for the token, a rejection without token and cookie, else None."""
        known = cookie_parser(Headers(scope=scope).get("cookie", "")).get(self._access.cookie_name, "")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        token = next((value for name, value in query if name == TOKEN), None)
        if token is not None and scope["method"] in READS:
            if not _is_same(token, self._access.token):
                return PlainTextResponse("This link is no longer valid.\n", 403)
            return self._redirect_with_cookie(
                scope, [(name, value) for name, value in query if name != TOKEN]
            )
        if not _is_same(known, self._access.cookie):
            return PlainTextResponse("Not logged in. Open the link that `steelyard view` printed.\n", 401)
        return None

    def _redirect_with_cookie(self, scope: Scope, query: list[tuple[str, str]]) -> Response:
        """Set the cookie, and redirect to the same page without the token.

        By a page, not by status 303: if the link was opened from a file, the browser would treat the
        redirected request as cross-site and omit the cookie.
        """
        path = quote("/" + scope["path"].lstrip("/\\"))  # two slashes would start a URL of another site
        response = HTMLResponse(redirect_page(f"{path}?{urlencode(query)}" if query else path, icon=ICON))
        response.set_cookie(
            self._access.cookie_name, self._access.cookie, httponly=True, samesite="strict", path="/"
        )
        return response


def _is_same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
