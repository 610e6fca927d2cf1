"""The server of the tests does what a test tells it, also as a process of its own."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.fake_providers.asked import Asked
from tests.fake_providers.faults import Fault, Rule, by_rules, first_times, in_order
from tests.fake_providers.server import Behaviour, serving
from tests.patience import wait_until

FAULT = Fault(name="overloaded")


def ask(port: int, prompt: str) -> tuple[int, dict[str, Any]]:
    body = {"model": "m", "messages": [{"role": "user", "content": prompt}]}
    sent = urllib.request.Request(  # loopback
        f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode()
    )
    try:
        with urllib.request.urlopen(sent, timeout=60) as response:  # noqa: S310  # loopback
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def asked(*, nth: int = 0, arrival: int = 0, prompt: str = "p") -> Asked:
    return Asked(
        vendor="openai",
        model="m",
        prompt=prompt,
        system="",
        key="",
        path="/",
        body={},
        nth=nth,
        arrival=arrival,
    )


def test_plans_say_when_something_goes_wrong() -> None:
    assert [bool(first_times(2, FAULT)(asked(nth=n))) for n in range(4)] == [True, True, False, False]
    assert [bool(in_order([None, FAULT])(asked(arrival=n))) for n in range(3)] == [False, True, False]
    every_third = by_rules([Rule(fault=FAULT, every=3, contains="p", first=9)])
    assert [bool(every_third(asked(arrival=n))) for n in range(6)] == [False, False, True] * 2


def test_a_prompt_is_counted_each_time_it_comes() -> None:
    with serving(Behaviour(faults=first_times(1, FAULT))) as server:
        statuses = [ask(server.port, prompt)[0] for prompt in ("a", "b", "a", "b")]

    assert statuses == [503, 503, 200, 200]
    assert [(line.nth, line.status, line.fault) for line in server.seen.log] == [
        (0, 503, "overloaded"),
        (0, 503, "overloaded"),
        (1, 200, None),
        (1, 200, None),
    ]


def test_an_unknown_path_is_not_found() -> None:
    with serving() as server, pytest.raises(urllib.error.HTTPError, match="404") as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{server.port}/v1/models", timeout=60)  # loopback
    caught.value.close()


def test_a_process_of_its_own_tells_its_port_and_logs_every_request(tmp_path: Path) -> None:
    answers, faults = tmp_path / "answers.jsonl", tmp_path / "faults.json"
    answers.write_text('{"contains": "add", "texts": ["one", "two"]}\n', encoding="utf-8")
    faults.write_text('[{"name": "rate_limited", "retry_after": "1", "contains": "slow"}]', encoding="utf-8")
    files = {"port-file": "port", "log": "log.jsonl", "summary": "summary.json"}
    options = [text for name, file in files.items() for text in (f"--{name}", str(tmp_path / file))]
    command = [sys.executable, "-m", "tests.fake_providers", *options, "--answers", str(answers)]

    with subprocess.Popen([*command, "--faults", str(faults), "--at-most", "60"]) as process:
        wait_until((tmp_path / "port").exists)
        port = int((tmp_path / "port").read_text(encoding="ascii"))
        bodies = [ask(port, prompt) for prompt in ("add", "add", "add", "slow", "unknown")]
        process.send_signal(signal.SIGTERM)

    assert process.returncode == 0
    texts = [body["choices"][0]["message"]["content"] for status, body in bodies if status == 200]
    assert texts == ["one", "two", "one", ""]
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["nth"], line["status"]) for line in log] == [
        (0, 200),
        (1, 200),
        (2, 200),
        (0, 429),
        (0, 200),
    ]
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary == {"requests": 5, "most_at_once": 1}
