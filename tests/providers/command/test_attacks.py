"""What an agent, or the model behind it, might try: host files, other agents, keys, the bill."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import ProviderError
from steelyard.providers.command.provider import CommandProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from tests.providers.agents import LIBRARY, generated, ran, request_for, settings_for

LOOK_AROUND = """
import os, sys
def found(place):
    try:
        if os.path.isdir(place): return " ".join(os.listdir(place))
        return open(place, errors="replace").read(1_000_000)
    except OSError: return ""
inside = ("environ", "cmdline", "cwd", "root/box/work", "root/tmp")
places = [*sys.argv[1:], "/etc/shadow", *(f"/proc/{pid}/{what}" for pid in range(1, 60) for what in inside)]
seen = "".join(map(found, places)) + str(dict(os.environ))
"""


def test_files_of_this_machine_and_keys_that_were_not_passed_are_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "SECRET-of-another-service")
    monkeypatch.setenv("AGENT_API_KEY", "for-the-agent")
    (tmp_path / "reference.py").write_text("SECRET reference answer", encoding="utf-8")
    places = (str(tmp_path / "reference.py"), str(Path.cwd()), __file__, str(Path.home()))

    source = f"{LOOK_AROUND}print('SEC' + 'RET' in seen, 'for-the-agent' in seen)"

    assert ran(source, *places, pass_env="AGENT_API_KEY", network="true").text == "False True\n"


def test_agents_that_run_at_the_same_time_do_not_meet() -> None:
    source = f"""
import sys, time
mine = int(sys.stdin.read())
for folder in (".", "/tmp", "/dev/shm"):
    open(f"{{folder}}/mark-{{mine}}", "w").write("x")
time.sleep(1)
{LOOK_AROUND}
time.sleep(1)
print(f"mark-{{mine}}" in seen, f"mark-{{1 - mine}}" in seen)
"""
    settings = settings_for(source, "/tmp", "/box", "/box/work", "/dev/shm")  # noqa: S108  # the agent's own

    async def both() -> list[str]:
        provider = CommandProvider(settings, sandbox=BubblewrapSandbox())
        replies = await asyncio.gather(*(provider.generate(request_for(str(n))) for n in range(2)))
        await provider.close()
        return [reply.text for reply in replies]

    assert asyncio.run(both()) == ["True False\n", "True False\n"]


def test_keys_that_were_passed_show_up_in_no_answer_and_no_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_API_KEY", "sk-1234567890")
    monkeypatch.setenv("SERVICE", "sk-0987654321")
    source = "import os; print(os.environ['AGENT_API_KEY'], os.environ['SERVICE'])"
    settings = replace(settings_for(source, pass_env="AGENT_API_KEY"), api_key_env="SERVICE")

    told = generated(settings, request_for())
    with pytest.raises(ProviderError) as raised:
        ran(f"{source}; raise SystemExit(os.environ['AGENT_API_KEY'])", pass_env="AGENT_API_KEY, SERVICE")

    assert told.text == "[AGENT_API_KEY] [SERVICE]\n"
    assert str(raised.value) == "the agent ended with exit code 1: [AGENT_API_KEY]"


def test_what_is_shown_to_an_agent_can_be_read_and_not_changed(tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.geteuid() and not path.stat().st_mode & 0o001:
            path.chmod(0o755)
    (folder / "model").write_text("fast", encoding="utf-8")
    source = """
import os
path = os.path.expanduser("~/.agent/model")
print(open(path).read())
try: open(path, "w").write("slow"); print("changed")
except OSError: pass
"""
    shown = f"{LIBRARY},{folder}:.home/.agent"

    reply = ran(source, binds=shown)

    assert reply.text == "fast\n"
    assert (folder / "model").read_text(encoding="utf-8") == "fast"


@pytest.mark.parametrize(
    "written",
    [
        "not json",
        "[1, 2]",
        '{"tokens_in": -5, "cost_usd": "free"}',
        '{"tokens_in": 1e400, "cost_usd": NaN}',
        '{"tokens_in": true, "cost_usd": 1e300}',
        "[" * 100_000,
        '{"usage": 3}',
        '{"tokens_in": 1.5}',
        "",
    ],
)
def test_a_bill_that_cannot_be_read_is_unknown_and_never_zero(written: str) -> None:
    source = "import sys; open('usage.json', 'w').write(sys.stdin.read())"

    reply = ran(source, usage_file="usage.json", asked=request_for(written))

    assert (reply.usage.tokens_in, reply.cost_nano_usd) == (None, None)


def test_a_flood_of_output_and_of_files_ends_at_its_limits() -> None:
    flood = ran("import sys\nwhile True: sys.stdout.write('x' * 65536)")
    files = ran("for n in range(3000): open(f'f{n}.py', 'w').write('x' * 5000)", files="*.py")

    assert flood.finish_reason == "limit"
    assert len(flood.text) <= 4 << 20
    assert len(files.text) <= 9 << 20


SAYS_NOT_FOUND = "import sys; print('half'); sys.stderr.write('sh: 1: exec: agent: not found'); sys.exit(127)"


def test_an_agent_does_not_leave_the_score_by_the_exit_code_of_a_missing_one() -> None:
    reply = ran(SAYS_NOT_FOUND, allow_failure="true")

    assert (reply.text, reply.finish_reason) == ("half\n", "error")


@pytest.mark.parametrize(
    "first_line", ["#!/bin/sh", "#!/usr/bin/env sh", "#!/usr/bin/env -S A=1 sh", "#! /bin/sh -e"]
)
def test_neither_does_a_script(tmp_path: Path, first_line: str) -> None:
    agent = tmp_path / "agent"
    agent.write_text(f"{first_line}\necho half; exit 127\n", encoding="utf-8")
    for path in (tmp_path, agent):
        path.chmod(0o755)

    reply = ran("", command=str(agent), binds=str(tmp_path), allow_failure="true")

    assert (reply.text, reply.finish_reason) == ("half\n", "error")


def test_without_leave_to_fail_that_exit_code_is_a_failure_like_others() -> None:
    with pytest.raises(ProviderError, match=r"agent.*127") as raised:
        ran(SAYS_NOT_FOUND)

    assert (raised.value.kind, raised.value.may_be_billed) == ("agent_failed", True)


def test_with_a_network_an_agent_is_looked_for_in_the_same_way() -> None:
    assert ran(SAYS_NOT_FOUND, allow_failure="true", network="[]").text == "half\n"
    with pytest.raises(ProviderError) as raised:
        ran("", command="no-such-agent", allow_failure="true", network="[]")

    assert raised.value.kind == "agent_missing"
