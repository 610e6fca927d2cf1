"""Let requests in: with the token if there is one, and never from pages of other sites."""

import secrets
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from steelyard.errors import UserError

TOKEN = "STEELYARD_SERVE_TOKEN"  # the name of a variable
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/v1/ping"})  # for load balancers, which have no token


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Where the service listens, and the token that clients send."""

    host: str = "127.0.0.1"
    token: str | None = None

    def __post_init__(self) -> None:
        if self.host not in LOOPBACK and not self.token:
            raise UserError(f"{self.host}: other machines may connect, so a token is needed: set {TOKEN}")


class AccessGuard:
    """Refuses requests without the token, and those that a browser sends for another site."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        problem = self._problem(scope) if scope["type"] == "http" else None
        if problem is None:
            await self._app(scope, receive, send)
            return
        await JSONResponse({"error": {"kind": "unauthorized", "detail": problem}}, 401)(scope, receive, send)

    def _problem(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        if headers.get("origin") is not None:
            return "requests of web pages are refused"
        if self._access.token is None:
            return None if _host_of(headers) in LOOPBACK else "this service answers on loopback only"
        given = headers.get("authorization", "").removeprefix("Bearer ")
        is_known = secrets.compare_digest(given.encode(), self._access.token.encode())
        return None if is_known or scope["path"] in OPEN_PATHS else "send `Authorization: Bearer TOKEN`"


def _host_of(headers: Headers) -> str:
    # A page may name this machine by a host of its own; its requests carry that name.
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:
        return ""
