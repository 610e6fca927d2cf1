"""Agents reach their model through the gateway, which meters, stops and records."""

import http.client
import threading
from pathlib import Path

import pytest

from steelyard.model.request import Usage
from steelyard.providers.gateway.exchange import Ending, read_record, total_cost
from steelyard.providers.gateway.replay import Replay
from tests.providers.gateway.scripted_service import Scripted, ScriptedService, sse
from tests.providers.gateway.trials import KEY, Got, ScriptedAgent, run_trial, upstream

ASK = {"model": "m", "messages": [{"role": "user", "content": "Fix add."}]}
CALL = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
REPLY = {
    "choices": [
        {"index": 0, "finish_reason": "tool_calls", "message": {"content": "a", "tool_calls": [CALL]}}
    ],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
}
COST = 1000 * 1000 + 50 * 10_000  # nano-USD, by the prices of `lab/m`
CHUNKS = sse(
    {"choices": [{"index": 0, "delta": {"content": "a", "tool_calls": [{"index": 0, **CALL}]}}]},
    {"choices": [], "usage": REPLY["usage"]},
    is_named=False,
)
ANTHROPIC = sse(
    {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 10, "output_tokens": 1}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "done"}},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 50}},
    {"type": "message_stop"},
)
RESPONSE = {
    "status": "completed",
    "output": [{"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}],
    "usage": {"input_tokens": 1000, "output_tokens": 50, "output_tokens_details": {"reasoning_tokens": 10}},
}


def call_once(
    reply: Scripted, record: Path, path: str = "/v1/chat/completions", kind: str = "openai", **more: object
) -> tuple[Got, ScriptedService]:
    got: list[Got] = []
    with ScriptedService(reply) as service:
        run_trial(
            upstream(service.url, kind=kind),
            lambda agent: got.append(agent.post(path, {**ASK, **more})),
            record,
        )
    return got[0], service


def test_a_reply_with_tool_calls_passes_unchanged_and_is_priced(tmp_path: Path) -> None:
    got, service = call_once(Scripted(body=REPLY), tmp_path / "record.jsonl")

    [exchange] = read_record(tmp_path / "record.jsonl")
    assert got.body == REPLY
    assert service.received[0].path == "/v1/chat/completions"
    assert service.received[0].body == ASK
    assert (exchange.usage.tokens_in, exchange.usage.tokens_out) == (1000, 50)
    assert exchange.cost_nano_usd == COST


def test_events_arrive_before_the_reply_is_complete(tmp_path: Path) -> None:
    pause = threading.Event()
    with ScriptedService(Scripted(events=CHUNKS, pause=pause)) as service:
        # The service continues only after the agent has got the first event.
        run_trial(
            upstream(service.url),
            lambda agent: agent.post("/v1/chat/completions", {**ASK, "stream": True}, on_piece=pause.set),
            tmp_path / "record.jsonl",
        )

    [exchange] = read_record(tmp_path / "record.jsonl")
    assert exchange.ending is Ending.COMPLETE
    assert exchange.cost_nano_usd == COST


def test_usage_that_only_the_gateway_requested_is_not_shown(tmp_path: Path) -> None:
    got, service = call_once(Scripted(events=CHUNKS), tmp_path / "record.jsonl", stream=True)

    assert service.received[0].body["stream_options"] == {"include_usage": True}
    assert got.text == CHUNKS[0] + CHUNKS[2]


def test_usage_that_the_agent_requested_is_shown(tmp_path: Path) -> None:
    options = {"include_usage": True}
    got, _ = call_once(
        Scripted(events=CHUNKS), tmp_path / "record.jsonl", stream=True, stream_options=options
    )

    assert got.text == "".join(CHUNKS)


@pytest.mark.parametrize("kind", ["anthropic", "vllm"])
def test_streamed_messages_are_counted(tmp_path: Path, kind: str) -> None:
    got, service = call_once(
        Scripted(events=ANTHROPIC), tmp_path / "record.jsonl", "/v1/messages?beta=true", kind, stream=True
    )

    [exchange] = read_record(tmp_path / "record.jsonl")
    assert got.text == "".join(ANTHROPIC)
    assert service.received[0].path == "/v1/messages?beta=true"
    assert service.received[0].headers["x-api-key"] == KEY
    assert exchange.usage == Usage(tokens_in=10, tokens_out=50)


RESPONSE_EVENTS = sse({"type": "response.created"}, {"type": "response.completed", "response": RESPONSE})


@pytest.mark.parametrize("reply", [Scripted(body=RESPONSE), Scripted(events=RESPONSE_EVENTS)])
def test_responses_are_counted(tmp_path: Path, reply: Scripted) -> None:
    call_once(reply, tmp_path / "record.jsonl", "/v1/responses", stream=bool(reply.events))

    [exchange] = read_record(tmp_path / "record.jsonl")
    assert exchange.usage == Usage(tokens_in=1000, tokens_out=50, tokens_reasoning=10)
    assert exchange.cost_nano_usd == COST


def test_the_cost_of_a_model_without_a_price_is_unknown(tmp_path: Path) -> None:
    call_once(Scripted(body=REPLY), tmp_path / "record.jsonl", model="other")

    exchanges = read_record(tmp_path / "record.jsonl")
    assert exchanges[0].usage.tokens_in == 1000
    assert total_cost(exchanges) is None


@pytest.mark.parametrize("status", [429, 500, 529])
def test_errors_pass_with_the_time_to_wait(tmp_path: Path, status: int) -> None:
    error = {"error": {"message": "wait"}}
    got, _ = call_once(
        Scripted(body=error, status=status, headers={"Retry-After": "7"}), tmp_path / "record.jsonl"
    )

    assert (got.status, got.body, got.headers["retry-after"]) == (status, error, "7")
    assert total_cost(read_record(tmp_path / "record.jsonl")) == 0


def test_a_stream_that_the_service_cuts_is_cut_for_the_agent(tmp_path: Path) -> None:
    got, _ = call_once(Scripted(events=CHUNKS[:1], is_cut=True), tmp_path / "record.jsonl", stream=True)

    [exchange] = read_record(tmp_path / "record.jsonl")
    assert got.is_cut
    assert got.text == CHUNKS[0]
    assert exchange.ending is Ending.CUT
    assert exchange.cost_nano_usd is None


def test_a_service_that_is_down_is_a_closed_connection(tmp_path: Path) -> None:
    with ScriptedService() as service:
        pass

    def act(agent: ScriptedAgent) -> None:
        with pytest.raises((http.client.HTTPException, OSError)):
            agent.post("/v1/chat/completions", ASK)

    run_trial(upstream(service.url), act, tmp_path / "record.jsonl")

    assert total_cost(read_record(tmp_path / "record.jsonl")) == 0


def test_the_cap_refuses_the_call_after_the_one_that_reached_it(tmp_path: Path) -> None:
    got: list[Got] = []

    def act(agent: ScriptedAgent) -> None:
        got.extend(agent.post("/v1/chat/completions", ASK) for _ in range(4))

    with ScriptedService(*[Scripted(body=REPLY)] * 4) as service:
        gateway = run_trial(upstream(service.url), act, tmp_path / "r.jsonl", cap_nano_usd=2 * COST - 1)

    assert [reply.status for reply in got] == [200, 200, 403, 403]
    assert got[2].headers["x-should-retry"] == "false"
    assert len(service.received) == 2
    assert total_cost(gateway.exchanges) == 2 * COST


def test_calls_at_the_same_time_exceed_the_cap_by_less_than_one(tmp_path: Path) -> None:
    def act(agent: ScriptedAgent) -> None:
        threads = [threading.Thread(target=agent.post, args=("/v1/chat/completions", ASK)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with ScriptedService(*[Scripted(body=REPLY)] * 8) as service:
        gateway = run_trial(upstream(service.url), act, tmp_path / "r.jsonl", cap_nano_usd=2 * COST - 1)

    assert len(service.received) == 2
    assert total_cost(gateway.exchanges) == 2 * COST


def test_a_cap_refuses_models_without_a_price(tmp_path: Path) -> None:
    got: list[Got] = []
    with ScriptedService() as service:
        run_trial(
            upstream(service.url),
            lambda agent: got.append(agent.post("/v1/chat/completions", {**ASK, "model": "other"})),
            tmp_path / "record.jsonl",
            cap_nano_usd=1,
        )

    assert got[0].status == 403
    assert "price of lab/other is unknown" in got[0].body["error"]["message"]
    assert service.received == []


def test_the_key_is_nowhere_but_in_the_call_of_the_service(tmp_path: Path) -> None:
    error = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    got, service = call_once(Scripted(body=error, status=401), tmp_path / "record.jsonl")

    assert service.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in got.text + str(got.headers)
    assert KEY not in (tmp_path / "record.jsonl").read_text()


def test_another_key_than_the_trials_is_refused(tmp_path: Path) -> None:
    got: list[Got] = []
    with ScriptedService() as service:
        run_trial(
            upstream(service.url),
            lambda agent: got.append(agent.post("/v1/chat/completions", ASK, key=KEY)),
            tmp_path / "record.jsonl",
        )

    assert got[0].status == 401
    assert service.received == []


def test_a_replay_gives_the_same_replies_without_the_service(tmp_path: Path) -> None:
    script = (
        Scripted(body=REPLY),
        Scripted(body={"error": {"message": "wait"}}, status=429),
        Scripted(events=CHUNKS),
        Scripted(events=CHUNKS[:1], is_cut=True),
    )
    replies: list[Got] = []

    def act(agent: ScriptedAgent) -> None:
        replies.extend(
            agent.post("/v1/chat/completions", {**ASK, "stream": stream})
            for stream in (False, False, True, True)
        )

    with ScriptedService(*script) as service:
        first = run_trial(upstream(service.url), act, tmp_path / "first.jsonl")
    replay = Replay(read_record(tmp_path / "first.jsonl"))
    second = run_trial(replay, act, tmp_path / "second.jsonl")

    recorded, replayed = replies[:4], replies[4:]
    assert [(got.status, got.text, got.is_cut) for got in replayed] == [
        (got.status, got.text, got.is_cut) for got in recorded
    ]
    assert [exchange.usage for exchange in second.exchanges] == [
        exchange.usage for exchange in first.exchanges
    ]
    assert (replay.remaining, replay.differing) == (0, 0)


def test_a_replay_accepts_another_session_but_no_other_conversation(tmp_path: Path) -> None:
    call_once(Scripted(body=REPLY), tmp_path / "first.jsonl", metadata={"session": "1"})
    replay = Replay(read_record(tmp_path / "first.jsonl"))
    got: list[Got] = []

    def act(agent: ScriptedAgent) -> None:
        longer = {**ASK, "messages": [*ASK["messages"], {"role": "user", "content": "Go on."}]}
        got.append(agent.post("/v1/chat/completions", longer))
        got.append(agent.post("/v1/chat/completions", {**ASK, "metadata": {"session": "2"}}))

    run_trial(replay, act, tmp_path / "second.jsonl")

    assert [reply.status for reply in got] == [404, 200]
    assert replay.differing == 1
