"""The hosts that an agent may connect to, as the user lists them.

Only names and ports; `addresses` decides about resolved addresses.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address

WEB_PORTS = frozenset({80, 443})
LAST_PORT = 65535
LONGEST_NAME = 253

# At least two labels, the last starting with a letter: some tools read `127.1` and `0x7f.0.0.1` as addresses.
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)+(?=[a-z]){_LABEL}")
_ENTRY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class AllowList:
    """The allowed ports of each host; None: every public host and port."""

    ports: Mapping[str, frozenset[int]] | None

    def allows(self, host: str, port: int) -> bool:
        """Whether a host, in canonical form, is allowed at a port."""
        return self.ports is None or port in self.ports.get(host, ())

    def names_address(self, host: str) -> bool:
        """Whether the user lists this address itself; then it may be private."""
        return self.ports is not None and host in self.ports and is_address(host)


ANY_PUBLIC = AllowList(None)


def allow_list(entries: Iterable[str]) -> AllowList:
    """Parse entries: `host`, for ports 80 and 443, or `host:port`; raises ValueError.

    >>> allow_list(["API.example.com", "10.0.0.5:8000"]).ports["10.0.0.5"]
    frozenset({8000})
    """
    ports: dict[str, frozenset[int]] = {}
    for entry in entries:
        host, port = _parse_entry(entry)
        ports[host] = ports.get(host, frozenset()) | (WEB_PORTS if port is None else {port})
    return AllowList(ports)


def canonical(text: str) -> str | None:
    """Return the canonical form of a host's name or address; None if it is neither.

    >>> canonical("API.Example.com."), canonical("::FFFF:1"), canonical("0177.0.0.1"), canonical("localhost")
    ('api.example.com', '::ffff:1', None, None)
    """
    name = text.lower().removesuffix(".")
    if len(name) <= LONGEST_NAME and _NAME.fullmatch(name):
        return name
    return str(ip_address(text)) if is_address(text) else None


def is_address(text: str) -> bool:
    """Whether a text is an address in its usual form, without a zone."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return "%" not in text


def _parse_entry(entry: str) -> tuple[str, int | None]:
    match = _ENTRY.fullmatch(entry)
    host = canonical(match["host"].removeprefix("[").removesuffix("]")) if match else None
    if match is None or host is None:
        raise ValueError(
            f"{entry!r} is no host; use a name such as api.example.com or api.example.com:8443, "
            f"or an address with its port"
        )
    port = None if match["port"] is None else int(match["port"])
    if port is not None and not 1 <= port <= LAST_PORT:
        raise ValueError(f"{entry!r} has no port from 1 to {LAST_PORT}")
    if port is None and is_address(host):
        raise ValueError(f"{entry!r} is an address; add its port, such as 192.0.2.7:8000")
    return host, port
