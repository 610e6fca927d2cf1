"""Each vendor, each fault, through the real client: what is said of it, and what may be done next."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

import pytest
from typing_extensions import override

from steelyard.errors import ProviderError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from steelyard.providers.llm.errors import Refused
from tests.fake_providers.faults import Fault, always
from tests.fake_providers.server import VendorServer
from tests.providers.llm.calls import KEY, KEY_NAME, MODELS, failed, replied, request, settings

VENDORS = tuple(MODELS)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)


class Expected(NamedTuple):
    kind: str
    may_retry: bool = False
    is_fatal: bool = False
    may_be_billed: bool = False
    retry_after_s: float | None = None


RATE_LIMITED = Expected("rate_limited", may_retry=True)
OVERLOADED = Expected("overloaded", may_retry=True)
MALFORMED = Expected("malformed", may_retry=True, may_be_billed=True)
FAULTS = {
    "429": (Fault(name="rate_limited"), RATE_LIMITED),
    "429 with seconds": (
        Fault(name="rate_limited", retry_after="7"),
        RATE_LIMITED._replace(retry_after_s=7.0),
    ),
    "500": (Fault(name="overloaded", status=500), OVERLOADED),
    "502": (Fault(name="overloaded", status=502), OVERLOADED),
    "503": (Fault(name="overloaded", status=503), OVERLOADED),
    "503 with seconds": (
        Fault(name="overloaded", status=503, retry_after="3"),
        OVERLOADED._replace(retry_after_s=3.0),
    ),
    "504": (Fault(name="overloaded", status=504), OVERLOADED),
    "529": (Fault(name="overloaded", status=529), OVERLOADED),
    "408": (Fault(name="overloaded", status=408), OVERLOADED),
    "expired key": (Fault(name="bad_key"), Expected("bad_key", is_fatal=True)),
    "forbidden": (Fault(name="bad_key", status=403), Expected("bad_key", is_fatal=True)),
    "no credit": (Fault(name="no_credit"), Expected("no_credit", is_fatal=True)),
    "unknown model": (Fault(name="unknown_model"), Expected("unknown_model", is_fatal=True)),
    "refused parameter": (Fault(name="rejected"), Expected("rejected")),
    "too long a prompt": (Fault(name="too_long"), Expected("rejected")),
    "too large a body": (Fault(name="rejected", status=413), Expected("rejected")),
    "slow first byte": (
        Fault(name="slow", delay_s=30),
        Expected("timeout", may_retry=True, may_be_billed=True),
    ),
    "cut mid-body": (Fault(name="cut"), Expected("cut", may_retry=True, may_be_billed=True)),
    "reset": (Fault(name="reset"), Expected("unreachable", may_retry=True, may_be_billed=True)),
    "malformed JSON": (Fault(name="malformed"), MALFORMED),
    "a page instead of JSON": (Fault(name="not_json"), MALFORMED),
    "missing fields": (Fault(name="no_fields"), MALFORMED),
    "wrong usage": (Fault(name="wrong_usage"), MALFORMED),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_fault_says_what_it_is_and_what_may_be_done_next(
    vendors: VendorServer, vendor: str, name: str
) -> None:
    fault, expected = FAULTS[name]
    vendors.behaviour.faults = always(fault)

    error = failed(
        settings(vendors, vendor, timeout_s=0.5 if fault.name == "slow" else 20.0), request(vendor)
    )

    assert expected == (error.kind, error.may_retry, error.is_fatal, error.may_be_billed, error.retry_after_s)
    where = f" at {vendors.url(vendor)}" if expected.kind == "unreachable" else ""
    assert str(error).startswith(f"{vendor}/{MODELS[vendor]}{where}: ")
    assert KEY not in str(error)
    assert error.__cause__ is None
    assert error.__suppress_context__
    assert len(vendors.seen.asked) == 1, "the vendor's own library must not ask again"


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_date_to_come_back_at_is_turned_into_seconds(vendors: VendorServer, vendor: str) -> None:
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    vendors.behaviour.faults = always(Fault(name="rate_limited", retry_after=then))

    error = failed(settings(vendors, vendor), request(vendor))

    assert error.retry_after_s is not None
    assert 30 < error.retry_after_s <= 60


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_that_the_service_repeats_is_not_repeated_by_us(vendors: VendorServer, vendor: str) -> None:
    vendors.behaviour.faults = always(Fault(name="bad_key"))

    error = failed(settings(vendors, vendor), request(vendor))

    assert vendors.seen.asked[0].key == KEY
    assert "[key]" in str(error)


@pytest.mark.parametrize("vendor", VENDORS)
def test_nobody_listening_is_unreachable_and_cost_nothing(vendor: str) -> None:
    nobody = ProviderSettings(
        name=vendor, base_url="http://127.0.0.1:9", api_key_env=KEY_NAME, timeout_s=20.0
    )

    error = failed(nobody, request(vendor))

    assert (error.kind, error.may_retry, error.may_be_billed) == ("unreachable", True, False)


def test_a_name_that_no_server_has_is_unreachable() -> None:
    nowhere = ProviderSettings(
        name="openai", base_url="http://nowhere.invalid", api_key_env=KEY_NAME, timeout_s=20.0
    )

    error = failed(nowhere, request("openai"))

    assert (error.kind, error.may_be_billed) == ("unreachable", False)


def test_quota_that_is_used_up_is_fatal_though_its_status_is_that_of_a_rate_limit(
    vendors: VendorServer,
) -> None:
    vendors.behaviour.faults = always(Fault(name="no_credit", status=429))

    error = failed(settings(vendors, "openai"), request("openai"))

    assert (error.kind, error.is_fatal) == ("no_credit", True)


@pytest.mark.parametrize(
    ("fault", "text", "finish_reason"),
    [
        ("refusal", "say this", "content_filter"),
        ("blocked", "", "content_filter"),
        ("truncated", "say this", "length"),
        ("empty", "", "stop"),
    ],
)
@pytest.mark.parametrize("vendor", VENDORS)
def test_what_the_model_did_is_a_reply_however_bad(
    vendors: VendorServer, vendor: str, fault: str, text: str, finish_reason: str
) -> None:
    vendors.behaviour.faults = always(Fault(name=fault))

    reply = replied(settings(vendors, vendor), request(vendor))

    assert (reply.text, reply.finish_reason) == (text, finish_reason)
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (2, len(text.split()))


@pytest.mark.parametrize("vendor", VENDORS)
def test_tokens_that_nobody_counted_are_unknown_rather_than_none(vendors: VendorServer, vendor: str) -> None:
    vendors.behaviour.faults = always(Fault(name="no_usage"))

    assert replied(settings(vendors, vendor), request(vendor)).usage == Usage()


@pytest.mark.parametrize("fault", ["cut", "refusal", "truncated", "empty"])
def test_an_answer_in_pieces_has_the_same_faults(vendors: VendorServer, fault: str) -> None:
    vendors.behaviour.faults = always(Fault(name=fault))
    unlimited = request("anthropic", parameters=Parameters())

    if fault == "cut":
        error = failed(settings(vendors, "anthropic"), unlimited)
        assert (error.kind, error.may_be_billed) == ("cut", True)
    else:
        reply = replied(settings(vendors, "anthropic"), unlimited)
        finish = {"refusal": "content_filter", "truncated": "length", "empty": "stop"}[fault]
        assert (reply.finish_reason, reply.usage.tokens_in) == (finish, 2)
    assert vendors.seen.asked[0].is_streamed


def test_an_answer_in_pieces_without_an_end_is_cut(
    vendors: VendorServer,
) -> None:
    vendors.behaviour.faults = always(Fault(name="unfinished"))

    error = failed(settings(vendors, "anthropic"), request("anthropic", parameters=Parameters()))

    assert (error.kind, error.may_retry, error.may_be_billed) == ("cut", True, True)


class Scripted(BaseHTTPRequestHandler):
    """Answers every call with what the test wrote into the class."""

    status = 200
    headers_sent: Mapping[str, str] = {}
    said = b""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(self.status)
        for name, value in self.headers_sent.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(self.said)))
        self.end_headers()
        self.wfile.write(self.said)

    @override
    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def scripted(
    status: int, said: str, *, vendor: str = "openai", headers: Mapping[str, str] | None = None
) -> ProviderError:
    """Return what is made of such an answer."""
    fields = {"status": status, "said": said.encode(), "headers_sent": headers or {}}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Now", (Scripted,), fields)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        ours = ProviderSettings(name=vendor, base_url=address, api_key_env=KEY_NAME, timeout_s=20.0)
        try:
            return failed(ours, request(vendor))
        finally:
            server.shutdown()


@pytest.mark.parametrize(
    ("vendor", "status", "said", "kind"),
    [
        ("anthropic", 400, '{"error": {"message": "Your credit balance is too low"}}', "no_credit"),
        (
            "google",
            400,
            '{"error": {"message": "no", "details": [{"reason": "API_KEY_INVALID"}]}}',
            "bad_key",
        ),
        ("openai", 307, "", "rejected"),
        ("openai", 200, '{"error": {"code": 429, "message": "slow down"}}', "rate_limited"),
        ("openai", 200, '{"error": {"code": "odd", "message": "what"}}', "malformed"),
        ("openai", 200, "[]", "malformed"),
        ("openai", 200, "[" * 100_000, "malformed"),
        ("openai", 200, '{"choices": [{"message": null}]}', "malformed"),
        (
            "openai",
            200,
            '{"choices": [{"error": {"code": 429}, "message": {"content": ""}}]}',
            "rate_limited",
        ),
        ("openai", 200, '{"choices": [{"error": {"code": "x"}, "message": {"content": ""}}]}', "overloaded"),
        (
            "openai",
            200,
            '{"choices": [{"finish_reason": "error", "message": {"content": ""}}]}',
            "overloaded",
        ),
        ("anthropic", 200, '{"content": [{"type": "text"}]}', "malformed"),
    ],
)
def test_what_stands_in_the_body_decides_where_the_status_says_something_else(
    vendor: str, status: int, said: str, kind: str
) -> None:
    assert scripted(status, said, vendor=vendor).kind == kind


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ],
)
def test_the_time_to_wait_is_read_if_it_can_be(headers: Mapping[str, str], seconds: float | None) -> None:
    assert scripted(429, "{}", headers=headers).retry_after_s == seconds


@pytest.mark.parametrize("address", ["nonsense", "http://[::1", "ftp://127.0.0.1", ""])
def test_an_address_that_is_none_is_unreachable(address: str) -> None:
    nowhere = ProviderSettings(
        name="openai", base_url=address or "http://", api_key_env=KEY_NAME, timeout_s=20.0
    )

    error = failed(nowhere, request("openai"))

    assert (error.kind, error.may_be_billed) == ("unreachable", False)


def test_an_answer_that_does_not_speak_http_is_malformed() -> None:
    error = scripted(200, "{}", headers={"x": "y\0z"})

    assert (error.kind, error.may_retry) == ("malformed", True)


def test_a_body_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("steelyard.providers.llm.wire.LARGEST_BODY", 1 << 20)

    error = scripted(200, "x" * (2 << 20))

    assert (error.kind, error.may_be_billed) == ("malformed", True)
    assert "1 MiB" in str(error)


def test_a_proxy_that_the_environment_names_is_used(
    vendors: VendorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{vendors.port}")
    behind = ProviderSettings(name="openai", base_url="http://models.invalid/v1", api_key_env=KEY_NAME)

    assert replied(behind, request("openai")).text == "say this"
    assert vendors.seen.asked[0].path == "http://models.invalid/v1/chat/completions"


def test_a_key_at_the_end_of_a_long_page_is_not_shown_in_part() -> None:
    error = scripted(500, "x" * 280 + KEY)

    assert KEY[:6] not in str(error)


def test_a_prompt_that_was_moderated_stops_no_provider() -> None:
    body = {"error": {"code": 403, "message": "flagged", "metadata": {"reasons": [], "flagged_input": "x"}}}

    found = Refused(403, json.dumps(body).encode()).kind

    assert (found.name, found.is_fatal) == ("rejected", False)
