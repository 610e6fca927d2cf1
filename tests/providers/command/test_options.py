"""What the user may say of an agent, and how wrong settings are refused before anything is paid for."""

from pathlib import Path

import pytest

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import MIB, Bind
from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, allow_list
from steelyard.providers.command.options import OPTIONS, Agent, agent_of
from tests.repo.package import REPOSITORY

PAGE = REPOSITORY / "docs" / "how-to" / "evaluate-an-agent.md"


def agent(*, key: str | None = None, **options: str) -> Agent:
    given = {"command": "agent", **options}
    settings = ProviderSettings(name="mine", kind="command", timeout_s=0.5, api_key_env=key, options=given)
    return agent_of(settings, {"AGENT_KEY": "sk-1", "EMPTY": ""})


@pytest.mark.parametrize(
    "command",
    ["agent run '--prompt={prompt}' \"a b\"", '["agent", "run", "--prompt={prompt}", "a b"]'],
    ids=["as a shell splits it", "as a list"],
)
def test_a_command_is_written_as_a_line_or_as_a_list(command: str) -> None:
    assert agent(command=command).words == ("agent", "run", "--prompt={prompt}", "a b")


def test_everything_is_off_unless_it_is_asked_for() -> None:
    plain = agent()

    assert plain.network is None
    assert not plain.allow_failure
    assert not plain.env
    assert not plain.binds
    assert (plain.limits.wall_s, plain.limits.cpu_s) == (0.5, 0.5)


def test_what_is_asked_for_is_there(tmp_path: Path) -> None:
    asked = agent(
        key="AGENT_KEY",
        network="true",
        allow_failure="True",
        ignore="temperature, seed",
        binds=f'["{tmp_path}", "{tmp_path}:.home/.agent"]',
        memory_mib="64",
        workspace_mib="32",
        processes="9",
        cpu_secs="7.5",
    )

    assert asked.env == {"AGENT_KEY": "sk-1"}
    assert (asked.network, asked.allow_failure) == (ANY_PUBLIC, True)
    assert asked.ignored == {"temperature", "seed"}
    assert asked.binds == (Bind(source=str(tmp_path)), Bind(source=str(tmp_path), at=".home/.agent"))
    assert (asked.limits.memory_bytes, asked.limits.workspace_bytes) == (64 * MIB, 32 * MIB)
    assert (asked.limits.processes, asked.limits.cpu_s) == (9, 7.5)


@pytest.mark.parametrize(
    "network", ['["api.example.com", "git.example.com:22"]', "api.example.com, git.example.com:22"]
)
def test_hosts_are_listed_as_a_list_or_with_commas(network: str) -> None:
    allowed = agent(network=network).network

    assert allowed == allow_list(["api.example.com", "git.example.com:22"])


def test_an_empty_list_is_a_proxy_that_refuses_everything() -> None:
    assert agent(network="[]").network == allow_list([])
    assert agent(network="False").network is None


def test_a_path_from_the_home_folder_may_be_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert agent(binds="~").binds == (Bind(source=str(tmp_path)),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"command": " "}, "set its option 'command' to the agent's command line"),
        ({"command": "agent 'x"}, "'command' cannot be split into words: No closing quotation"),
        ({"command": "[1]"}, "'command' must be a list of strings"),
        ({"command": "[agent]"}, "'command' is no valid list"),
        ({"command": "agent {modle}"}, "'command' holds {modle}; is it {model}?"),
        ({"command": "agent {zzz}"}, "is it {model}, {prompt}, {prompt_file}, {system_prompt_file},"),
        ({"file": "*.py"}, "it has no option 'file'; did you mean 'files'?"),
        ({"zzz": ""}, "it has no option 'zzz'; there is command, answer, files,"),
        ({"answer": "a", "files": "*"}, "'answer' names one file and 'files' patterns"),
        ({"answer": "/etc/passwd"}, "'answer' is '/etc/passwd'; use a relative path inside"),
        ({"usage_file": "../x"}, "'usage_file' is '../x'; use a relative path"),
        ({"usage_pattern": "("}, "'usage_pattern' is no regular expression"),
        ({"usage_pattern": r"\d+"}, "'usage_pattern' names no group; write (?P<tokens_in>"),
        ({"pass_env": "AGENT_KEY,OTHER"}, "OTHER is listed for the agent but not set"),
        ({"pass_env": "EMPTY"}, "EMPTY is listed for the agent but not set"),
        ({"binds": "relative"}, "'binds' lists 'relative'; use absolute paths"),
        ({"binds": "/no/such/path"}, "'binds' lists '/no/such/path'; use absolute paths"),
        (
            {"network": "yes"},
            "'network' must be true, false or a list of hosts: 'yes' is no host; use a name",
        ),
        ({"network": ""}, "'network' must be true, false or a list of hosts: '' is no host"),
        ({"network": '["10.0.0.1"]'}, "'10.0.0.1' is an address; add its port"),
        ({"network": "[1]"}, "'network' must be a list of strings"),
        ({"ignore": "top_k"}, "'ignore' names 'top_k'; the sampling parameters are temperature, top_p,"),
        ({"memory_mib": "lots"}, "'memory_mib' is 'lots'; use a number from 1"),
        ({"processes": "0"}, "'processes' is '0'; use a number from 1"),
        ({"cpu_secs": "nan"}, "'cpu_secs' is 'nan'; use a number from 1"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(options: dict[str, str], message: str) -> None:
    with pytest.raises(UserError) as raised:
        agent(**options)

    assert str(raised.value).startswith("the provider 'mine': ")
    assert message in str(raised.value)


def test_a_missing_key_is_named_and_no_value_is_ever_shown() -> None:
    with pytest.raises(UserError, match="MY_KEY"):
        agent(key="MY_KEY")


def test_the_page_on_agents_tells_of_every_option() -> None:
    text = PAGE.read_text(encoding="utf-8")

    assert not [name for name in OPTIONS if f"| `{name}` |" not in text]
