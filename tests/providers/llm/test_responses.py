"""What only OpenAI's Responses protocol has; the rest is tested as for every vendor."""

import pytest

from steelyard.providers.llm.access import Access
from steelyard.providers.llm.dialect import Setup
from steelyard.providers.llm.errors import Refused
from steelyard.providers.llm.responses import ResponsesDialect
from tests.fake_providers.server import VendorServer
from tests.providers.llm.calls import KEY, KEY_NAME, replied, request, settings

DIALECT = ResponsesDialect(
    Setup(name="x", access=Access(kind="openai-responses", url="http://127.0.0.1", key="k"))
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)


def test_nothing_of_an_answer_by_responses_is_kept_by_the_vendor(vendors: VendorServer) -> None:
    replied(settings(vendors, "openai-responses"), request("openai-responses"))

    assert vendors.seen.asked[0].body["store"] is False


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow"}}, "rate_limited"),
        ({"status": "failed", "error": {"code": "server_error", "message": "oops"}}, "overloaded"),
        ({"status": "failed", "error": "oops"}, "overloaded"),
    ],
)
def test_an_answer_by_responses_that_failed_inside_is_a_fault(body: dict[str, object], kind: str) -> None:
    with pytest.raises(Refused) as raised:
        DIALECT.parse_reply(body)

    assert raised.value.kind.name == kind


@pytest.mark.parametrize(
    "output",
    [None, {}, [1], [{}], [{"type": "message"}], [{"type": "message", "content": ["x"]}]],
    ids=repr,
)
def test_an_answer_by_responses_in_another_form_is_refused(output: object) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        DIALECT.parse_reply({"status": "completed", "output": output})


def test_a_model_that_chat_completions_do_not_know_is_sent_to_responses_by_the_message() -> None:
    said = b'{"error": {"message": "This model is only supported in v1/responses."}}'

    assert "openai-responses/" in Refused(404, said).kind.advice


@pytest.mark.parametrize("status", ["queued", "in_progress", "cancelled"])
def test_an_answer_that_is_not_finished_is_no_answer(status: str) -> None:
    with pytest.raises(ValueError, match="not finished"):
        DIALECT.parse_reply({"status": status, "output": []})
