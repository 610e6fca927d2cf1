"""A user and a password in an address are repeated nowhere, whatever goes wrong."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from typing_extensions import override

from steelyard.model.config import ProviderSettings
from tests.fake_providers.server import VendorServer
from tests.providers.llm.calls import KEY, KEY_NAME, MODELS, failed, replied, request

VENDORS = tuple(MODELS)
CREDENTIALS = "our-user:p@do-not-repeat"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)


class ToALongerAddress(BaseHTTPRequestHandler):
    """Sends the client on to an address that holds what the client's own address holds."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        said = f"moved to http://{CREDENTIALS}@127.0.0.1:9/".encode()
        self.send_response(400)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    @override
    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.mark.parametrize("vendor", VENDORS)
def test_credentials_in_an_address_are_not_repeated(vendor: str) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), ToALongerAddress) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://{CREDENTIALS}@127.0.0.1:{server.server_port}"
        ours = ProviderSettings(name=vendor, base_url=address, api_key_env=KEY_NAME, timeout_s=20.0)

        error = failed(ours, request(vendor))
        server.shutdown()

    assert "moved to http://[credentials]@127.0.0.1:9/" in str(error)
    assert not [word for word in CREDENTIALS.split(":") if word in str(error)]


def test_a_proxy_is_passed_by_for_addresses_with_credentials_too(
    vendors: VendorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    address = vendors.url("openai").replace("http://", "http://me:secret@")
    ours = ProviderSettings(name="openai", base_url=address, api_key_env=KEY_NAME, timeout_s=20.0)

    assert replied(ours, request("openai")).text == "say this"


def test_credentials_of_a_proxy_with_a_slash_are_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://user:pa/ss@127.0.0.1:9")
    behind = ProviderSettings(name="openai", base_url="http://a.invalid/v1", api_key_env=KEY_NAME)

    assert "pa/ss" not in str(failed(behind, request("openai")))


@pytest.mark.parametrize("proxy", ["http://me:hunter2#secret@127.0.0.1:9", "me:hunter2secret@127.0.0.1:9"])
def test_credentials_of_a_proxy_in_any_form_are_not_repeated(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    behind = ProviderSettings(name="openai", base_url="http://a.invalid/v1", api_key_env=KEY_NAME)

    assert not [word for word in ("hunter2", "secret") if word in str(failed(behind, request("openai")))]


@pytest.mark.parametrize("sign", ["#", "?", "/", "%", ":"])
def test_a_password_with_any_sign_in_it_is_not_repeated(sign: str) -> None:
    address = f"http://me:hunter2{sign}word@127.0.0.1:9/v1"
    ours = ProviderSettings(name="openai", base_url=address, api_key_env=KEY_NAME, timeout_s=5.0)

    assert not [word for word in ("hunter2", "word@") if word in str(failed(ours, request("openai")))]
