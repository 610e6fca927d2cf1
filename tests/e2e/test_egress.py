"""What an agent asks of the network is kept with its samples, and an open network is warned of."""

import json
import re
from pathlib import Path

import pytest

import steelyard
from tests.providers.agents import LIBRARY, PYTHON

SET = """
[eval_set]
id = "egress"
default_language = "text"
[[cases]]
id = "yes"
prompt = "Say yes."
[cases.expectations.settings]
exact = "yes"
"""
CONFIG = """
models = ["agent/m"]
[providers.agent]
kind = "command"
[providers.agent.options]
command = {command}
binds = ["{library}"]
network = {network}
"""
ASK = "import urllib.request; urllib.request.urlopen('http://telemetry.example/')"


def ran(folder: Path, source: str, network: str) -> tuple[list[list[dict[str, object]] | None], list[str]]:
    """Run an agent on one case; return what is kept of its network, and the warnings."""
    command = json.dumps([PYTHON, "-I", "-S", "-B", "-c", source])
    config = CONFIG.format(command=command, library=LIBRARY, network=network)
    (folder / "set.toml").write_text(SET, encoding="utf-8")
    (folder / "steelyard.toml").write_text(config, encoding="utf-8")
    warned: list[str] = []
    run = steelyard.run(
        folder / "set.toml",
        address=folder / "run",
        config=folder / "steelyard.toml",
        notify=warned.append,
    )
    kept = [row["egress"] for row in run.sql("SELECT egress FROM samples")]
    return [None if text is None else json.loads(str(text)) for text in kept], warned


def test_the_hosts_that_an_agent_asked_for_are_kept_with_its_sample(tmp_path: Path) -> None:
    source = f"try: {ASK}\nexcept OSError: print('yes')"

    kept, warned = ran(tmp_path, source, '["api.example.com"]')

    assert [[(entry["host"], entry["port"], entry["verdict"]) for entry in log or []] for log in kept] == [
        [("telemetry.example", 80, "not_listed")]
    ]
    assert warned == []


def test_they_are_kept_with_a_failed_sample_too(tmp_path: Path) -> None:
    kept, _ = ran(tmp_path, ASK, "[]")

    assert [[entry["host"] for entry in log or []] for log in kept] == [["telemetry.example"]]


def test_an_agent_without_a_network_has_no_log(tmp_path: Path) -> None:
    assert ran(tmp_path, "print('yes')", "false") == ([None], [])


@pytest.mark.parametrize("network", ["true", '"true"'])
def test_an_agent_that_may_reach_every_host_is_warned_of(tmp_path: Path, network: str) -> None:
    kept, warned = ran(tmp_path, "print('yes')", network)

    assert kept == [[]]
    assert len(warned) == 1
    assert re.search(r"'agent' has `network = true` .* List the required hosts", warned[0])
