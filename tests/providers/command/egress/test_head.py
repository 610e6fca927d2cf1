"""The head of a request to the proxy; what is refused is among the tries of the proxy's own tests."""

import pytest

from steelyard.providers.command.egress.head import MalformedHead, RequestHead, parse_head


def test_a_tunnel_sends_nothing_of_its_own() -> None:
    head = parse_head(b"CONNECT [2606:4700::1111]:443 HTTP/1.1\r\nUser-Agent: x\r\n\r\n")

    assert head == RequestHead(host="2606:4700::1111", port=443)
    assert head.is_tunnel


def test_a_plain_request_goes_to_the_port_of_the_web_unless_it_names_another() -> None:
    head = parse_head(b"HEAD http://files.example HTTP/1.0\r\n\r\n")

    assert (head.host, head.port, head.is_tunnel) == ("files.example", 80, False)
    assert head.first == b"HEAD / HTTP/1.0\r\nHost: files.example\r\nConnection: close\r\n\r\n"


def test_a_request_to_the_proxy_itself_is_refused() -> None:
    with pytest.raises(MalformedHead):
        parse_head(b"GET / HTTP/1.1\r\nHost: files.example\r\n\r\n")
