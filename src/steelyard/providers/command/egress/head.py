"""Parse the head of a proxy request: `CONNECT host:port`, or plain HTTP with an absolute address.

Strict: all other forms are rejected, so that no server can interpret one differently.
"""

import re
from dataclasses import dataclass

_HOST = rb"(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*\])"
_PORT = rb"(?P<port>[0-9]{1,5})"
_CONNECT = re.compile(rb"CONNECT " + _HOST + b":" + _PORT + rb" HTTP/1\.[01]")
_PLAIN = re.compile(
    rb"(?P<method>(?!CONNECT )[A-Z]+) http://"
    + _HOST
    + b"(?::"
    + _PORT
    + rb")?(?P<path>/[!-~]*)? (?P<version>HTTP/1\.[01])"
)
_FIELD = re.compile(rb"(?P<name>[!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t\x20-\x7e\x80-\xff]*")
# Headers for the proxy or this connection; `Host` is rewritten.
_DROPPED = frozenset({b"host", b"connection", b"keep-alive"})
END = b"\r\n\r\n"
HTTP_PORT, LAST_PORT = 80, 65535


class MalformedHead(ValueError):
    """The head of a request has no supported form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestHead:
    """The target of a request, as written, and the head to forward: empty for a tunnel."""

    host: str
    port: int
    first: bytes = b""

    @property
    def is_tunnel(self) -> bool:
        """Whether the agent expects a confirmation of the connection."""
        return not self.first


def parse_head(head: bytes) -> RequestHead:
    r"""Parse the head of a request, which ends in an empty line; raises MalformedHead.

    >>> parse_head(b"CONNECT api.example.com:443 HTTP/1.1\r\n\r\n")
    RequestHead(host='api.example.com', port=443, first=b'')
    """
    line, *fields = head.removesuffix(END).split(b"\r\n")
    names = [_FIELD.fullmatch(field) for field in fields]
    match = _CONNECT.fullmatch(line) or _PLAIN.fullmatch(line)
    if match is None or None in names:
        raise MalformedHead
    host = match["host"].decode("ascii").removeprefix("[").removesuffix("]")
    port = int(match["port"] or HTTP_PORT)
    if not 1 <= port <= LAST_PORT:
        raise MalformedHead
    if match.re is _CONNECT:
        return RequestHead(host=host, port=port)
    kept = [
        field for field, name in zip(fields, names, strict=True) if name and not _is_dropped(name["name"])
    ]
    return RequestHead(host=host, port=port, first=_to_origin_form(match, kept))


def _is_dropped(name: bytes) -> bool:
    return name.lower() in _DROPPED or name.lower().startswith(b"proxy-")


def _to_origin_form(plain: re.Match[bytes], fields: list[bytes]) -> bytes:
    """Return the head for the server, with the checked `Host`; one request per connection."""
    first = b" ".join((plain["method"], plain["path"] or b"/", plain["version"]))
    host = plain["host"] if plain["port"] is None else b":".join((plain["host"], plain["port"]))
    return b"\r\n".join((first, b"Host: " + host, *fields, b"Connection: close")) + END
