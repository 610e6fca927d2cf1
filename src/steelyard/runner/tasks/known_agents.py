"""Known agents: command line, variables and hosts of each, by the versions that were tried."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.ports import Sandbox
from steelyard.providers.command.options import agent_of
from steelyard.runner.tasks.provider import HOME, WITHOUT_MODEL, TaskProvider

MOUNT = "/opt/steelyard-agent"  # where the agent's folder is mounted, read-only
FOLDER = "folder"  # the option that names the agent's folder on this machine
CODEX = f"{MOUNT}/node_modules/@openai/codex-linux-*/vendor/*/bin/codex"
CODEX_PROVIDER = '{name="steelyard",base_url="{url}",env_key="OPENAI_API_KEY",wire_api="responses"}'


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """How an agent is run. `{url}` stands for the address of its model service."""

    version: str  # that was tried
    install: str  # on this machine, into the folder that the option names
    command: tuple[str, ...]
    key: str  # the variable with the service's key
    url: str
    env: Mapping[str, str] = field(default_factory=dict)
    usage: str = "-"  # where tokens are: the last line that is JSON


AGENTS: Mapping[str, KnownAgent] = {
    "claude-code": KnownAgent(
        version="2.1.197",
        install="npm install --prefix FOLDER @anthropic-ai/claude-code",
        command=(
            f"{MOUNT}/node_modules/@anthropic-ai/claude-code/bin/claude.exe",
            *("--bare", "-p", "{prompt}", "--model", "{model}", "--dangerously-skip-permissions"),
            *("--output-format", "stream-json", "--verbose"),
        ),
        key="ANTHROPIC_API_KEY",
        url="https://api.anthropic.com",
        env={
            "ANTHROPIC_BASE_URL": "{url}",
            "IS_SANDBOX": "1",  # it refuses to run as root otherwise
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
    ),
    "codex": KnownAgent(
        version="0.169.0",
        install="npm install --prefix FOLDER @openai/codex",
        command=(
            "/bin/sh",
            "-c",
            f'mkdir -p "$CODEX_HOME"; exec {CODEX} "$@"',
            "codex",
            *("exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
            *("-c", "model_provider=steelyard", "-c", f"model_providers.steelyard={CODEX_PROVIDER}"),
            *("-m", "{model}", "{prompt}"),
        ),
        key="OPENAI_API_KEY",
        url="https://api.openai.com/v1",
        env={"CODEX_HOME": f"{HOME}/.codex"},
    ),
    "mini-swe-agent": KnownAgent(
        version="2.4.6",
        install="pip install --target FOLDER mini-swe-agent mcp",
        command=(
            *("python3", "-m", "minisweagent.run.mini", "-y", "--exit-immediately"),
            *("-m", "openai/{model}", "-t", "{prompt}"),
        ),
        key="OPENAI_API_KEY",
        url="https://api.openai.com/v1",
        env={
            "PYTHONPATH": MOUNT,
            "OPENAI_API_BASE": "{url}",
            "MSWEA_CONFIGURED": "true",
            "MSWEA_COST_TRACKING": "ignore_errors",
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        },
        usage="",
    ),
    "opencode": KnownAgent(
        version="1.18.33",
        install="npm install --prefix FOLDER opencode-ai",
        command=(
            "/bin/sh",
            "-c",
            f'exec {MOUNT}/node_modules/opencode-linux-*/bin/opencode "$@"',
            "opencode",
            *("run", "-m", "{model}", "--format", "json", "{prompt}"),
        ),
        key="ANTHROPIC_API_KEY",
        url="https://api.anthropic.com",
        env={"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"},
        usage="",
    ),
}


def known_agent(settings: ProviderSettings, *, sandbox: Sandbox) -> TaskProvider:
    """Return a known agent; it runs on tasks only."""
    del sandbox
    if settings.adapter in WITHOUT_MODEL:
        return TaskProvider(settings, agent=None)
    known = AGENTS[settings.adapter]
    folder = settings.options.get(FOLDER)
    if not folder:
        raise UserError(
            f"the agent {settings.name!r} needs a folder with its program: "
            f"`{known.install}`, then set {FOLDER} under [providers.{settings.name}] in steelyard.toml"
        )
    return _provider(settings, known, folder)


def _provider(settings: ProviderSettings, known: KnownAgent, folder: str) -> TaskProvider:
    """Return the provider; its tokens are priced by our price list, since agents invent unknown prices."""
    url = settings.base_url or known.url
    own = {name: text for name, text in settings.options.items() if name != FOLDER}
    options = {
        "command": json.dumps([word.replace("{url}", url) for word in known.command]),
        "binds": f"{folder}:{MOUNT}",
        "network": json.dumps([_host(url)]),
        **({"usage_file": known.usage} if known.usage else {}),
        **own,
    }
    key = settings.api_key_env or known.key
    agent = agent_of(replace(settings, options=options, api_key_env=key))
    env = {name: text.replace("{url}", url) for name, text in known.env.items()}
    named = {known.key: agent.env[key]}
    agent = replace(agent, env={**env, **named, **agent.env})
    return TaskProvider(settings, agent=agent, reports_cost=False)


def _host(url: str) -> str:
    """Return the host of a service, with its port if the address has one."""
    parts = urlsplit(url)
    return parts.netloc.rpartition("@")[2]
