"""Count an agent's proxy requests: hosts, verdicts, requests and bytes."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

MOST_ENTRIES = 500
OTHERS = "(others)"  # all further hosts
TOO_LONG = "(too long)"  # invalid hosts, whose text could contain a key
LONGEST = 253


class EgressVerdict(StrEnum):
    """The result of a request."""

    ALLOWED = "allowed"  # connected
    NOT_LISTED = "not_listed"  # host or port not in `network`
    NOT_PUBLIC = "not_public"  # no public address
    UNKNOWN_HOST = "unknown_host"  # not resolvable
    UNREACHABLE = "unreachable"  # allowed, but the connection failed
    MALFORMED = "malformed"  # malformed request
    OVER_LIMIT = "over_limit"  # too many connections, requests or bytes


@dataclass(slots=True, kw_only=True)
class HostRequests:
    """Requests with one host, port and verdict."""

    host: str
    port: int | None
    verdict: EgressVerdict
    requests: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0


class EgressLog:
    """The counts of one agent, bounded in number."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, int | None, EgressVerdict], HostRequests] = {}

    def request(self, host: str, port: int | None, verdict: EgressVerdict) -> HostRequests:
        """Count a request and return its entry, to add its bytes."""
        host = host if len(host) <= LONGEST else TOO_LONG
        if (host, port, verdict) not in self._entries and len(self._entries) >= MOST_ENTRIES:
            host, port = OTHERS, None
        entry = self._entries.setdefault(
            (host, port, verdict), HostRequests(host=host, port=port, verdict=verdict)
        )
        entry.requests += 1
        return entry

    @property
    def entries(self) -> list[HostRequests]:
        """All counts, in the order of first requests."""
        return list(self._entries.values())

    @property
    def refused(self) -> list[str]:
        """The refused hosts with their verdicts."""
        return [
            f"{entry.host} ({entry.verdict})"
            for entry in self.entries
            if entry.verdict is not EgressVerdict.ALLOWED
        ]

    def as_json(self) -> str:
        """Return the counts as stored with the sample."""
        return json.dumps([asdict(entry) for entry in self.entries], separators=(",", ":"))
