"""Read the options of an agent: command, answer, files, network and limits.

Everything is checked before the first agent is started.
"""

import json
import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from re import Pattern

from steelyard.errors import UserError
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import MIB, Bind, Limits
from steelyard.model.nearest_name import did_you_mean
from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, AllowList, allow_list
from steelyard.providers.command.words import PARAMETERS, check_words

OPTIONS = (
    "command",  # the program and its arguments
    "answer",  # the file with the answer
    "files",  # patterns of new or changed files that form the answer
    "usage_file",  # a JSON file with tokens and cost; `-`: the agent's output
    "usage_pattern",  # a regular expression for them in the agent's output
    "pass_env",  # environment variables passed to the agent
    "binds",  # files and folders of this machine that the agent may read
    "network",  # allowed hosts; `true`: every public one
    "allow_failure",  # whether an agent that exits with an error has an answer
    "ignore",  # sampling parameters that the agent ignores
    "memory_mib",
    "workspace_mib",
    "processes",
    "cpu_secs",
)
ALLOWED = {"true": True, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """The command line of an agent, its limits, and where its answer is found."""

    words: tuple[str, ...]
    answer: str | None = None
    files: tuple[str, ...] = ()
    usage_file: str | None = None
    usage_pattern: Pattern[str] | None = None
    env: Mapping[str, str]
    binds: tuple[Bind, ...] = ()
    network: AllowList | None = None  # None: no network
    allow_failure: bool = False
    ignored: frozenset[str] = frozenset()
    limits: Limits


def agent_of(settings: ProviderSettings, environ: Mapping[str, str] = os.environ) -> Agent:
    """Parse the settings of an agent; raises UserError for an invalid one."""
    try:
        return _parse_agent(settings, environ)
    except ValueError as error:
        raise UserError(f"the provider {settings.name!r}: {error}") from None


def _parse_agent(settings: ProviderSettings, environ: Mapping[str, str]) -> Agent:
    options = settings.options
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"it has no option {name!r}; {did_you_mean(name, OPTIONS)}")
    if options.get("answer") and options.get("files"):
        raise ValueError("'answer' names one file and 'files' patterns; remove one of them")
    requested = [*_parse_list(options, "pass_env"), *([settings.api_key_env] if settings.api_key_env else [])]
    return Agent(
        words=_parse_command(options),
        answer=_require_inside(options, "answer"),
        files=_parse_list(options, "files"),
        usage_file=options.get("usage_file")
        if options.get("usage_file") == "-"
        else _require_inside(options, "usage_file"),
        usage_pattern=_parse_pattern(options.get("usage_pattern")),
        env={name: _require_variable(name, environ) for name in requested},
        binds=tuple(_parse_bind(text) for text in _parse_list(options, "binds")),
        network=_parse_network(options),
        allow_failure=_parse_flag(options, "allow_failure"),
        ignored=_parse_ignored(options),
        limits=_parse_limits(settings),
    )


def _parse_command(options: Mapping[str, str]) -> tuple[str, ...]:
    text = options.get("command", "").strip()
    words = tuple(_json_list("command", text) if text.startswith("[") else _split_words(text))
    if not words:
        raise ValueError(
            "set its option 'command' to the agent's command line, such as my-agent --model {model}"
        )
    check_words(words)
    return words


def _split_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"'command' cannot be split into words: {error}") from error


def _parse_list(options: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Parse a list in JSON or with commas."""
    text = options.get(name, "").strip()
    items = _json_list(name, text) if text.startswith("[") else text.split(",")
    return tuple(entry.strip() for entry in items if entry.strip())


def _json_list(name: str, text: str) -> list[str]:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name!r} is no valid list: {error}") from error
    if not all(isinstance(item, str) for item in items):
        raise ValueError(f"{name!r} must be a list of strings")
    return list(items)


def _require_inside(options: Mapping[str, str], name: str) -> str | None:
    """Return a path that stays in the workspace."""
    path = options.get(name)
    if path and (path.startswith(("/", "..")) or os.path.normpath(path) != path):
        raise ValueError(f"{name!r} is {path!r}; use a relative path inside the agent's folder")
    return path or None


def _parse_pattern(text: str | None) -> Pattern[str] | None:
    if text is None:
        return None
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise ValueError(f"'usage_pattern' is no regular expression: {error}") from error
    if not pattern.groupindex:
        raise ValueError("'usage_pattern' names no group; write (?P<tokens_in>\\d+), (?P<cost_usd>[\\d.]+) …")
    return pattern


def _require_variable(name: str, environ: Mapping[str, str]) -> str:
    if not environ.get(name):
        raise ValueError(f"the environment variable {name} is listed for the agent but not set")
    return environ[name]


def _parse_bind(text: str) -> Bind:
    source, _, at = text.partition(":")
    path = Path(source).expanduser()
    if not path.is_absolute() or not path.exists():
        raise ValueError(f"'binds' lists {source!r}; use absolute paths of existing files or folders")
    return Bind(source=str(path), at=at or None)


def _parse_flag(options: Mapping[str, str], name: str) -> bool:
    text = options.get(name, "false").strip().lower()
    if text not in ALLOWED:
        raise ValueError(f"{name!r} is {text!r}; use true or false")
    return ALLOWED[text]


def _parse_network(options: Mapping[str, str]) -> AllowList | None:
    text = options.get("network", "false").strip()
    if text.lower() in ALLOWED:
        return ANY_PUBLIC if ALLOWED[text.lower()] else None
    try:
        return allow_list(
            _json_list("network", text) if text.startswith("[") else map(str.strip, text.split(","))
        )
    except ValueError as error:
        raise ValueError(f"'network' must be true, false or a list of hosts: {error}") from error


def _parse_ignored(options: Mapping[str, str]) -> frozenset[str]:
    names = frozenset(_parse_list(options, "ignore"))
    unknown = sorted(names - set(PARAMETERS))
    if unknown:
        raise ValueError(
            f"'ignore' names {unknown[0]!r}; the sampling parameters are {', '.join(PARAMETERS)}"
        )
    return names


def _parse_limits(settings: ProviderSettings) -> Limits:
    """Return the limits of an agent, higher than those of a check."""
    options = settings.options
    return Limits(
        wall_s=settings.timeout_s,
        cpu_s=_parse_number(options, "cpu_secs", settings.timeout_s),
        memory_bytes=int(_parse_number(options, "memory_mib", 4096) * MIB),
        processes=int(_parse_number(options, "processes", 512)),
        workspace_bytes=int(_parse_number(options, "workspace_mib", 1024) * MIB),
        open_files=4096,
        output_bytes=4 * MIB,
        keep_bytes=8 * MIB,
    )


def _parse_number(options: Mapping[str, str], name: str, default: float) -> float:
    if name not in options:
        return default
    try:
        number = float(options[name])
    except ValueError:
        number = 0.0
    if not 1 <= number <= 1 << 30:
        raise ValueError(f"{name!r} is {options[name]!r}; use a number from 1")
    return number
