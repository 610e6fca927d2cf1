"""An agent in the sandbox reaches its model through a gateway, and never sees the key."""

import asyncio
from pathlib import Path

import pytest

from steelyard.errors import UserError
from steelyard.model.request import Reply, Request, Usage
from steelyard.providers.command.provider import CommandProvider
from steelyard.providers.gateway.exchange import read_record
from steelyard.providers.gateway.meter import Meter
from steelyard.providers.gateway.server import Gateway
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.providers.agents import request_for, settings_for
from tests.providers.gateway.scripted_service import Scripted, ScriptedService
from tests.providers.gateway.trials import KEY, KEY_NAME, PRICES, upstream

AGENT = """
import json, os, urllib.request
request = urllib.request.Request(
    os.environ["OPENAI_BASE_URL"] + "/chat/completions",
    json.dumps({"model": "m", "messages": []}).encode(),
    {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
)
for _ in range(2):
    with urllib.request.urlopen(request) as reply:
        print(json.load(reply)["choices"][0]["message"]["content"])
print(dict(os.environ))
"""
REPLY = Scripted(
    body={
        "choices": [{"message": {"content": "Done."}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50},
    }
)


def generated_with_gateway(source: str, url: str, record: Path, **options: str) -> Reply:
    def make_gateway(_: Request) -> Gateway:
        return Gateway(upstream(url), Meter(PRICES, provider="lab"), record=record)

    async def run() -> Reply:
        settings = settings_for(source, **options)
        provider = CommandProvider(settings, sandbox=BubblewrapSandbox(), make_gateway=make_gateway)
        try:
            return await provider.generate(request_for())
        finally:
            await provider.close()

    return asyncio.run(run())


def test_tokens_and_cost_are_those_that_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)

    with ScriptedService(REPLY, REPLY) as service:
        reply = generated_with_gateway(AGENT, service.url, tmp_path / "record.jsonl")

    assert reply.text.startswith("Done.\nDone.\n")
    assert reply.usage == Usage(tokens_in=2000, tokens_out=100)
    assert reply.cost_nano_usd == 3_000_000
    assert service.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in reply.text
    assert len(read_record(tmp_path / "record.jsonl")) == 2


def test_a_gateway_needs_a_list_of_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_NAME, KEY)

    with pytest.raises(UserError, match="listed hosts only"):
        generated_with_gateway(AGENT, "http://127.0.0.1:9/v1", tmp_path / "record.jsonl", network="true")
