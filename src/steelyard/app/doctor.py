"""Check sandboxes, toolchains, engines and keys of this machine.

Keys are reported by name; their values are never read.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from steelyard.app.settings import ConfigSource, load_config
from steelyard.checks import npm
from steelyard.checks.toolchains.python.environment import CachedPackages, cached_packages
from steelyard.checks.toolchains.rust import vendored
from steelyard.checks.toolchains.terraform.tool import PROVIDERS_ENV
from steelyard.errors import InfrastructureError, install_extra
from steelyard.languages.language import Tool
from steelyard.languages.lookup import LANGUAGES
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import NEUTRAL_FOLDER
from steelyard.model.health import Finding, Health, Part

VERSION_S = 20.0
# rustup's proxies exist before any toolchain is installed, and report that themselves.
UNCHOSEN, CHOOSE = "no default", "rustup default stable"


TOOLS = tuple(dict.fromkeys(tool for language in LANGUAGES for tool in language.tools))
# Variables that name a folder of packages: purpose, and how to create the folder.
FOLDERS = {
    vendored.FOLDER_ENV: ("crates", "Rust", "cargo vendor"),
    npm.FOLDER_ENV: (npm.MODULES, "JavaScript and TypeScript", "npm ci --ignore-scripts"),
    PROVIDERS_ENV: ("providers", "Terraform", "terraform providers mirror"),
}
ENGINES = {"ray": install_extra("ray")}
# Clients of models and the price list: the extra is complete if all of them can be imported.
EXTRAS = {"llm": (("aiohttp", "genai_prices"), install_extra("llm"))}
# Defaults; providers in `steelyard.toml` are listed too.
KEYS = {
    "ANTHROPIC_API_KEY": "anthropic",
    "OPENAI_API_KEY": "openai",
    "GEMINI_API_KEY": "google",
    "GOOGLE_API_KEY": "google",
    "OPENROUTER_API_KEY": "openrouter",
    "AZURE_OPENAI_API_KEY": "azure",
    "OLLAMA_API_KEY": "ollama",
    "VLLM_API_KEY": "vllm",
    "AWS_ACCESS_KEY_ID": "runs in S3",
}


class VersionLine(NamedTuple):
    """A program's first line of output, and whether it exited with 0."""

    line: str
    works: bool = True


def first_line(words: tuple[str, ...]) -> VersionLine:
    """Run a program and return its first line; empty on failure or timeout."""
    try:
        done = subprocess.run(  # noqa: S603  # constant arguments
            words, capture_output=True, text=True, check=False, timeout=VERSION_S, cwd=NEUTRAL_FOLDER
        )
    except (OSError, subprocess.TimeoutExpired):
        return VersionLine("", works=False)
    works = done.returncode == 0
    text = done.stdout or done.stderr if works else done.stderr or done.stdout
    return VersionLine(text.strip().partition("\n")[0].strip(), works)


def _survey_machine() -> list[Finding]:
    from steelyard.sandbox.probe import probe  # noqa: PLC0415  # Linux only; asking for help must work anywhere

    return probe()


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Access to the machine; tests replace it."""

    which: Callable[[str], str | None] = shutil.which
    version: Callable[[tuple[str, ...]], VersionLine] = first_line
    is_importable: Callable[[str], bool] = lambda name: find_spec(name) is not None
    has_variable: Callable[[str], bool] = lambda name: bool(os.environ.get(name))
    sandboxes: Callable[[], list[Finding]] = _survey_machine
    packages: Callable[[], CachedPackages] = cached_packages
    folder_in: Callable[[str], str] = lambda variable: os.environ.get(variable, "")


def doctor(machine: Machine | None = None, *, config: ConfigSource = None) -> Health:
    """Check sandboxes, toolchains, engines and the configured providers' keys."""
    return health(machine or Machine(), providers=load_config(config).providers.values())


def health(machine: Machine, *, providers: Iterable[ProviderSettings] = ()) -> Health:
    """Check everything, including requirements of custom providers."""
    engines = (_check_engine(machine, name, fix) for name, fix in ENGINES.items())
    tools = (_check_tool(machine, tool) for tool in TOOLS)
    extras = (_check_extra(machine, name) for name in EXTRAS)
    own = {provider.api_key_env: provider.name for provider in providers if provider.api_key_env is not None}
    keys = (_check_key(machine, name, use) for name, use in {**KEYS, **own}.items())
    packages = [_check_packages(machine), *_check_folders(machine)]
    return Health(findings=[*machine.sandboxes(), *tools, *packages, *engines, *extras, *keys])


def _check_tool(machine: Machine, tool: Tool) -> Finding:
    path = machine.which(tool.program)
    if path is None:
        detail = f"for {tool.use}: not installed"
        return Finding(part=Part.TOOLCHAIN, name=tool.program, works=False, detail=detail, fix=tool.fix)
    text = machine.version((path, *tool.version_arguments))
    if not text.works:
        detail = f"for {tool.use}: does not work: {text.line or path}"
        fix = CHOOSE if UNCHOSEN in text.line else tool.fix
        return Finding(part=Part.TOOLCHAIN, name=tool.program, works=False, detail=detail, fix=fix)
    detail = f"for {tool.use}: {text.line or path}"
    return Finding(part=Part.TOOLCHAIN, name=tool.program, works=True, detail=detail)


def _check_packages(machine: Machine) -> Finding:
    try:
        kept = machine.packages()
    except InfrastructureError as error:
        text, _, fix = str(error).partition(": ")
        return Finding(part=Part.TOOLCHAIN, name="environments", works=False, detail=text, fix=fix)
    detail = f"{kept.count} of eval sets in {kept.folder}, {kept.size / 1e6:.1f} MB"
    return Finding(part=Part.TOOLCHAIN, name="environments", works=True, detail=detail)


def _check_folders(machine: Machine) -> Iterator[Finding]:
    """Check the folders of packages named by environment variables."""
    for variable, (name, use, made_by) in FOLDERS.items():
        if not (folder := machine.folder_in(variable)):
            continue
        works = Path(folder).is_dir()
        state = "" if works else ", which is no folder"
        fix = "" if works else f"make it with `{made_by}`, or let {variable} name another"
        detail = f"for {use}: {variable} names {folder}{state}"
        yield Finding(part=Part.TOOLCHAIN, name=name, works=works, detail=detail, fix=fix)


def _check_engine(machine: Machine, name: str, fix: str) -> Finding:
    works = machine.is_importable(name)
    return Finding(part=Part.ENGINE, name=name, works=works, fix="" if works else fix)


def _check_extra(machine: Machine, name: str) -> Finding:
    modules, fix = EXTRAS[name]
    works = all(map(machine.is_importable, modules))
    detail = "models can be asked" if works else "only agents and recorded answers"
    return Finding(part=Part.EXTRA, name=name, works=works, detail=detail, fix="" if works else fix)


def _check_key(machine: Machine, name: str, use: str) -> Finding:
    works = machine.has_variable(name)
    detail = f"for {use}: {'set' if works else 'not set'}"
    return Finding(part=Part.KEY, name=name, works=works, detail=detail)
