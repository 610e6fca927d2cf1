"""What an agent asked the proxy for, counted."""

import json

from steelyard.providers.command.egress.log import (
    LONGEST,
    MOST_ENTRIES,
    OTHERS,
    TOO_LONG,
    EgressLog,
    EgressVerdict,
)


def test_requests_and_bytes_are_added_up_for_each_host_port_and_verdict() -> None:
    log = EgressLog()
    for sent in (1, 2):
        log.request("api.example", 443, EgressVerdict.ALLOWED).bytes_sent += sent
    log.request("api.example", 22, EgressVerdict.NOT_LISTED)

    plain = {"host": "api.example", "bytes_received": 0}
    assert json.loads(log.as_json()) == [
        {**plain, "port": 443, "verdict": "allowed", "requests": 2, "bytes_sent": 3},
        {**plain, "port": 22, "verdict": "not_listed", "requests": 1, "bytes_sent": 0},
    ]
    assert log.refused == ["api.example (not_listed)"]


def test_an_agent_that_asks_for_ever_new_hosts_does_not_fill_the_store() -> None:
    log = EgressLog()
    for number in range(10 * MOST_ENTRIES):
        log.request(f"{number}.example", number, EgressVerdict.NOT_LISTED)
    log.request("0.example", 0, EgressVerdict.NOT_LISTED)

    *known, others = log.entries
    assert (others.host, others.port, others.requests) == (OTHERS, None, 9 * MOST_ENTRIES)
    assert (len(known), known[0].requests) == (MOST_ENTRIES, 2)


def test_what_is_too_long_for_a_host_is_not_kept_not_even_its_beginning() -> None:
    log = EgressLog()
    for size in (LONGEST, LONGEST + 1):
        log.request("x" * size, 443, EgressVerdict.NOT_LISTED)

    assert [entry.host for entry in log.entries] == ["x" * LONGEST, TOO_LONG]
