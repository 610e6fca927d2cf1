"""Count an agent's proxy requests: hosts, verdicts, requests and bytes."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

MOST_ENTRIES = 500
OTHERS = "(others)"  # stands for hosts beyond that
TOO_LONG = "(too long)"  # stands for what can be no host; its beginning could be the half of a key
LONGEST = 253


class EgressVerdict(StrEnum):
    """What became of a request."""

    ALLOWED = "allowed"  # connected
    NOT_LISTED = "not_listed"  # the host, or its port, is not in `network`
    NOT_PUBLIC = "not_public"  # the name leads to no public address
    UNKNOWN_HOST = "unknown_host"  # the name leads nowhere
    UNREACHABLE = "unreachable"  # allowed, but no connection came about
    MALFORMED = "malformed"  # no request that the proxy takes
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
        """Count a request and return its entry, for the bytes that follow."""
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
        """Return the counts as they are kept with the sample."""
        return json.dumps([asdict(entry) for entry in self.entries], separators=(",", ":"))
