"""The hosts that a user lists."""

import pytest

from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, allow_list, canonical


def test_a_name_stands_for_the_ports_of_the_web_and_one_with_a_port_for_that_port() -> None:
    allowed = allow_list(["api.example", "git.example:22", "both.example", "both.example:8443"])

    assert [port for port in (22, 80, 443, 8443) if allowed.allows("api.example", port)] == [80, 443]
    assert [port for port in (22, 80, 443, 8443) if allowed.allows("git.example", port)] == [22]
    assert [port for port in (22, 80, 443, 8443) if allowed.allows("both.example", port)] == [80, 443, 8443]
    assert not allowed.allows("other.example", 443)


def test_case_and_a_final_dot_do_not_count() -> None:
    assert allow_list(["API.Example.:8443"]) == allow_list(["api.example:8443"])


def test_an_empty_list_allows_nothing_and_no_list_everything() -> None:
    assert not allow_list([]).allows("api.example", 443)
    assert ANY_PUBLIC.allows("api.example", 8443)


@pytest.mark.parametrize(
    ("entry", "host"), [("10.0.0.5:8000", "10.0.0.5"), ("[::1]:8000", "::1"), ("[0:0::1]:8000", "::1")]
)
def test_an_address_is_written_out_with_its_port(entry: str, host: str) -> None:
    allowed = allow_list([entry])

    assert allowed.allows(host, 8000)
    assert not allowed.allows(host, 80)
    assert allowed.names_address(host)
    assert not allowed.names_address("10.0.0.6")
    assert not ANY_PUBLIC.names_address(host)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        *(
            (text, "is no host")
            for text in ("yes", "", "localhost", "*.example", "https://api.example", "a b.c")
        ),
        *(
            (text, "is no host")
            for text in ("api.example/path", "user@api.example", "bücher.example", "::1", "a..b")
        ),
        *(
            (text, "is no host")
            for text in ("127.1:80", "0x7f.0.0.1", "api.example:", "api.example:x", f"{'a.' * 127}ab")
        ),
        ("api.example:0", r"port.*1.*65535"),
        ("api.example:65536", r"port.*1.*65535"),
        ("10.0.0.5", "address"),
        ("[::1]", "address"),
    ],
)
def test_what_is_no_host_is_refused(entry: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        allow_list(["api.example", entry])


def test_a_name_may_be_as_long_as_names_are() -> None:
    longest = f"{'a.' * 125}abc"

    assert canonical(longest) == longest
    assert canonical(f"a{longest}") is None
