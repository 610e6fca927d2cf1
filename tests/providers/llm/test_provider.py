"""What is sent to a service, and what is made of its reply."""

import asyncio
import json
from dataclasses import replace

import pytest

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Parameters, Usage
from tests.fake_providers.asked import Answer
from tests.fake_providers.server import VendorServer
from tests.providers.llm.calls import (
    KEY,
    KEY_NAME,
    MODELS,
    asked,
    failed,
    llm_provider,
    replied,
    request,
    settings,
)

VENDORS = tuple(MODELS)
CHOICES = [{"message": {"content": "x"}, "finish_reason": "stop"}]
SAMPLING = Parameters(temperature=0.8, top_p=0.9, max_tokens=64)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_reply_tells_text_tokens_and_times(vendors: VendorServer, vendor: str) -> None:
    vendors.behaviour.answer = lambda one: Answer(
        text="fn f() {}\n", tokens_in=100, tokens_out=50, cached=30, reasoning=40, thoughts="let me see"
    )
    vendors.behaviour.delay_s = 0.05

    reply = replied(settings(vendors, vendor), request(vendor))

    assert reply.text == "fn f() {}\n", "thoughts are no part of the answer"
    assert reply.finish_reason == "stop"
    assert reply.cost_nano_usd is None
    written = 0 if vendor == "anthropic" else None
    assert reply.usage == Usage(
        tokens_in=100, tokens_out=50, tokens_cached=30, tokens_cache_written=written, tokens_reasoning=40
    )
    assert reply.request_id == "req-1"
    assert reply.first_byte_us is not None
    assert reply.latency_us is not None
    assert 50_000 <= reply.first_byte_us <= reply.latency_us


@pytest.mark.parametrize("vendor", VENDORS)
def test_details_that_a_vendor_does_not_tell_are_unknown(vendors: VendorServer, vendor: str) -> None:
    reply = replied(settings(vendors, vendor), request(vendor, prompt="one two three"))

    assert reply.usage == Usage(tokens_in=3, tokens_out=3)


def test_what_goes_into_a_cache_is_part_of_the_prompt(vendors: VendorServer) -> None:
    vendors.behaviour.answer = lambda one: Answer(text="x", tokens_in=100, cached=30, cache_written=20)

    usage = replied(settings(vendors, "anthropic"), request("anthropic")).usage

    assert (usage.tokens_in, usage.tokens_cached, usage.tokens_cache_written) == (100, 30, 20)
    assert vendors.seen.asked[0].body["stream"] is False


def test_an_answer_in_pieces_tells_the_same(vendors: VendorServer) -> None:
    vendors.behaviour.answer = lambda one: Answer(
        text="fn f() {}",
        tokens_in=100,
        tokens_out=50,
        cached=30,
        cache_written=20,
        reasoning=40,
        thoughts="hm",
    )

    reply = replied(settings(vendors, "anthropic"), request("anthropic", parameters=Parameters()))

    assert vendors.seen.asked[0].is_streamed
    assert reply.text == "fn f() {}"
    assert reply.usage == Usage(
        tokens_in=100, tokens_out=50, tokens_cached=30, tokens_cache_written=20, tokens_reasoning=40
    )


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_system_prompt_and_the_files_come_before_the_prompt(vendors: VendorServer, vendor: str) -> None:
    files = {"src/lib.rs": "fn f() {\n", "notes.md": "```\ncode\n```"}

    replied(settings(vendors, vendor), request(vendor, system_prompt="Be terse.", context=files))

    [seen] = vendors.seen.asked
    assert seen.system == "Be terse."
    assert seen.prompt == (
        "### `src/lib.rs`\n\n```\nfn f() {\n```\n\n### `notes.md`\n\n````\n```\ncode\n```\n````\n\nsay this"
    )
    assert seen.model == MODELS[vendor]


def test_every_parameter_is_sent(vendors: VendorServer) -> None:
    sent = {}
    for vendor in VENDORS:
        replied(settings(vendors, vendor), request(vendor, parameters=SAMPLING))
        sent[vendor] = vendors.seen.asked[-1].body

    expected = {"temperature": 0.8, "top_p": 0.9, "max_tokens": 64}
    assert sent["openai"].items() >= expected.items()
    assert sent["anthropic"].items() >= expected.items()
    google = {"temperature": 0.8, "topP": 0.9, "maxOutputTokens": 64}
    assert sent["google"]["generationConfig"].items() >= google.items()


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_parameter_that_is_not_set_is_not_sent(vendors: VendorServer, vendor: str) -> None:
    replied(settings(vendors, vendor), request(vendor, parameters=Parameters(max_tokens=10)))

    text = json.dumps(vendors.seen.asked[0].body)
    assert not any(name in text for name in ("temperature", "top_p", "topP", "seed"))


def test_a_seed_is_sent_where_there_is_one_and_refused_where_there_is_none(vendors: VendorServer) -> None:
    seeded = Parameters(seed=7, max_tokens=10)

    replied(settings(vendors, "openai"), request("openai", parameters=seeded))
    replied(settings(vendors, "google"), request("google", parameters=seeded))
    error = failed(settings(vendors, "anthropic"), request("anthropic", parameters=seeded))

    assert vendors.seen.asked[0].body["seed"] == 7
    assert vendors.seen.asked[1].body["generationConfig"]["seed"] == 7
    assert (error.kind, error.may_retry, error.is_fatal) == ("rejected", False, False)
    assert "seed" in str(error)
    assert len(vendors.seen.asked) == 2, "nothing is sent without the seed"


@pytest.mark.parametrize("vendor", VENDORS)
def test_fields_of_the_users_own_go_into_every_body(vendors: VendorServer, vendor: str) -> None:
    chosen = settings(vendors, vendor, options={"body": '{"reasoning_effort": "low"}'})

    replied(chosen, request(vendor))

    assert vendors.seen.asked[0].body["reasoning_effort"] == "low"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"body": "low"}, "must be a JSON object"),
        ({"body": "[1]"}, "must be a JSON object"),
        ({"temprature": "1"}, "unknown option 'temprature'; openai has body"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    vendors: VendorServer, options: dict[str, str], said: str
) -> None:
    with pytest.raises(UserError, match=said.replace("[", r"\[")):
        llm_provider(settings(vendors, "openai", options=options))


@pytest.mark.parametrize("vendor", VENDORS)
def test_many_calls_go_out_at_once(vendors: VendorServer, vendor: str) -> None:
    calls = 60
    vendors.behaviour.answers_once = calls  # calls are under way

    async def ask() -> set[str]:
        provider = llm_provider(settings(vendors, vendor))
        async with asyncio.timeout(60):
            replies = await asyncio.gather(
                *(provider.generate(request(vendor, prompt=str(n))) for n in range(calls))
            )
        await provider.close()
        return {reply.text for reply in replies}

    assert asyncio.run(ask()) == {str(n) for n in range(calls)}
    assert vendors.seen.most_at_once == calls


def test_a_call_that_is_called_off_leaves_the_provider_in_order(vendors: VendorServer) -> None:
    vendors.behaviour.delay_s = 600.0

    async def ask() -> str:
        provider = llm_provider(settings(vendors, "openai"))
        task = asyncio.create_task(provider.generate(request("openai")))
        while not vendors.seen.asked:  # noqa: ASYNC110  # the server is in another thread
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        vendors.behaviour.delay_s = 0.0
        reply = await provider.generate(request("openai", prompt="again"))
        await provider.close()
        return reply.text

    assert asyncio.run(ask()) == "again"


def test_a_mistake_of_ours_is_not_called_a_fault_of_the_service(vendors: VendorServer) -> None:
    with pytest.raises(TypeError):
        asked(settings(vendors, "openai"), request("openai", context={"a.py": None}))

    assert not vendors.seen.asked


def test_openrouter_tells_what_it_charged(vendors: VendorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    monkeypatch.setenv("OPENROUTER_BASE_URL", vendors.url("openai"))
    vendors.behaviour.answer = lambda one: Answer(text="x", cost_usd="0.00001234")

    reply = replied(ProviderSettings(name="openrouter", timeout_s=20.0), request("openrouter"))

    assert reply.cost_nano_usd == 12_340
    assert vendors.seen.asked[0].model == "meta/llama-4"


def test_azure_names_the_deployment_and_the_version(vendors: VendorServer) -> None:
    chosen = ProviderSettings(
        name="azure",
        base_url=f"http://127.0.0.1:{vendors.port}",
        api_key_env=KEY_NAME,
        timeout_s=20.0,
        options={"api_version": "2026-06-01"},
    )

    assert replied(chosen, request("azure")).text == "say this"
    assert vendors.seen.asked[0].key == KEY
    assert vendors.seen.asked[0].path.startswith("/openai/deployments/gpt-5.5/chat/completions")
    assert "api-version=2026-06-01" in vendors.seen.asked[0].path


def test_azure_without_a_version_is_refused(vendors: VendorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_VERSION", raising=False)
    chosen = ProviderSettings(name="azure", base_url=f"http://127.0.0.1:{vendors.port}", api_key_env=KEY_NAME)

    with pytest.raises(UserError, match=r"\[providers.azure\].*OPENAI_API_VERSION"):
        llm_provider(chosen)


@pytest.mark.parametrize("kind", ["vllm", "ollama"])
def test_a_server_of_ones_own_needs_no_key(vendors: VendorServer, kind: str) -> None:
    chosen = ProviderSettings(name=kind, base_url=vendors.url("openai"), timeout_s=20.0)

    reply = replied(chosen, request(kind, parameters=Parameters(seed=1, max_tokens=5, temperature=0.0)))

    assert reply.text == "say this"
    assert vendors.seen.asked[0].body.items() >= {"seed": 1, "max_tokens": 5, "temperature": 0.0}.items()


@pytest.mark.parametrize("cost", ["a lot", "NaN"])
def test_a_price_that_is_no_number_is_malformed(
    vendors: VendorServer, monkeypatch: pytest.MonkeyPatch, cost: str
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
    dialect = llm_provider(ProviderSettings(name="openrouter"))._dialect

    with pytest.raises(ValueError, match=r"usage\.cost"):
        dialect.parse_reply({"choices": CHOICES, "usage": {"cost": cost}})


@pytest.mark.parametrize("usage", [[1], {"prompt_tokens": -1}, {"prompt_tokens": True}])
def test_tokens_that_are_no_numbers_are_not_taken_for_some(vendors: VendorServer, usage: object) -> None:
    dialect = llm_provider(settings(vendors, "openai"))._dialect

    with pytest.raises((TypeError, ValueError)):
        dialect.parse_reply({"choices": CHOICES, "usage": usage})


def test_a_long_answer_is_asked_for_as_events_and_a_short_one_whole(vendors: VendorServer) -> None:
    for limit in (1_000, 64_000):
        replied(settings(vendors, "anthropic"), request("anthropic", parameters=Parameters(max_tokens=limit)))

    assert [one.is_streamed for one in vendors.seen.asked] == [False, True]


def test_a_limit_in_the_options_holds_only_where_the_request_has_none(vendors: VendorServer) -> None:
    chosen = replace(settings(vendors, "anthropic"), options={"body": '{"max_tokens": 64000}'})
    for wanted in (Parameters(max_tokens=1_000), Parameters()):
        replied(chosen, request("anthropic", parameters=wanted))

    asked = [(one.body["max_tokens"], one.is_streamed) for one in vendors.seen.asked]
    assert asked == [(1_000, False), (64_000, True)]


def test_openai_itself_calls_the_limit_by_its_newer_name(
    vendors: VendorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", vendors.url("openai"))

    replied(ProviderSettings(name="openai", timeout_s=20.0), request("openai"))

    body = vendors.seen.asked[0].body
    assert (body.get("max_completion_tokens"), "max_tokens" in body) == (1000, False)


def test_an_answer_in_parts_is_one_text(vendors: VendorServer) -> None:
    dialect = llm_provider(settings(vendors, "openai"))._dialect
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]

    assert dialect.parse_reply({"choices": [{"message": {"content": parts}}]}).text == "ab"


@pytest.mark.parametrize("parts", ["a", [1], [{"text": 1}]])
def test_parts_that_are_no_texts_are_not_taken_for_some(vendors: VendorServer, parts: object) -> None:
    dialect = llm_provider(settings(vendors, "google"))._dialect

    with pytest.raises(TypeError):
        dialect.parse_reply({"candidates": [{"content": {"parts": parts}}]})


def test_events_that_were_not_asked_for_are_refused(vendors: VendorServer) -> None:
    dialect = llm_provider(settings(vendors, "openai"))._dialect

    with pytest.raises(ValueError, match="2 events"):
        dialect.joined([{}, {}])


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\u0085", "\x0b", "\x1c"])
def test_an_answer_in_pieces_may_hold_any_line_end_of_unicode(vendors: VendorServer, odd: str) -> None:
    vendors.behaviour.answer = lambda one: Answer(text=f"a{odd}b")

    reply = replied(settings(vendors, "anthropic"), request("anthropic", parameters=Parameters()))

    assert reply.text == f"a{odd}b"
