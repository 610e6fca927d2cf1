"""`steelyard doctor`: on this machine, and on machines that lack something."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.app.doctor import Machine, VersionLine, first_line, health
from steelyard.checks import npm
from steelyard.checks.toolchains.python.environment import cached_packages, interpreter_of
from steelyard.checks.toolchains.rust import vendored
from steelyard.cli.doctor import as_json, as_text
from steelyard.model.config import ProviderSettings
from steelyard.model.environment import Environment
from steelyard.model.health import Finding, Part
from tests.commands import strict_json, typed
from tests.wheels import use_wheels

WORKING = Finding(part=Part.SANDBOX, name="bubblewrap", works=True, detail="0.8")


def doctor(*before: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a process, on a machine made poorer by some words before it."""
    words = [*before, sys.executable, "-m", "steelyard", "doctor", "--format", "json"]
    return subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **variables})


def finding(done: subprocess.CompletedProcess[str], name: str) -> dict[str, object]:
    found = [item for item in json.loads(done.stdout)["findings"] if item["name"] == name]
    assert len(found) == 1
    return dict(found[0])


def test_this_machine_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "doctor")

    assert shown.code == 0
    assert "yes  bubblewrap" in shown.out
    assert "yes  gvisor" in shown.out
    assert "limited by" in shown.out
    assert "Answers can be checked on this machine." in shown.out


@pytest.mark.check_all
def test_a_machine_without_bubblewrap_is_told_how_to_get_it(tmp_path: Path) -> None:
    done = doctor(PATH=str(tmp_path))

    assert done.returncode == 3
    assert finding(done, "bubblewrap")["works"] is False
    assert str(finding(done, "bubblewrap")["fix"]).startswith("apt-get install bubblewrap")
    assert str(finding(done, "gvisor")["fix"]).startswith("apt-get install runsc")
    assert str(finding(done, "cargo")["fix"]).startswith("curl https://sh.rustup.rs")


@pytest.mark.check_all
def test_a_machine_without_user_namespaces_is_told_how_to_switch_them_on() -> None:
    # The setting holds for the namespace it is made in, so this machine keeps its own.
    without = 'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"'

    done = doctor("unshare", "--user", "--map-root-user", "sh", "-c", without, "sh")

    assert done.returncode == 3
    assert finding(done, "bubblewrap")["fix"] == "sysctl -w user.max_user_namespaces=15000"
    assert "max_*_namespaces exceeded" in str(finding(done, "bubblewrap")["detail"])


def test_a_machine_without_cargo_can_do_everything_else() -> None:
    machine = Machine(
        which=lambda name: None if name == "cargo" else f"/bin/{name}",
        version=lambda words: VersionLine(f"{words[0]} 1.0"),
        is_importable=lambda name: False,
        has_variable=lambda name: name == "OPENAI_API_KEY",
        sandboxes=lambda: [WORKING],
    )
    found = health(machine, providers=[ProviderSettings(name="lab", api_key_env="LAB_KEY")])

    lines = as_text(found).splitlines()
    assert "  no   cargo                for Rust: not installed" in lines
    assert "       -> curl https://sh.rustup.rs -sSf | sh" in lines
    assert "  yes  gcc                  for C and C++: /bin/gcc 1.0" in lines
    assert "       -> pip install '.[ray]' in the checkout of Steelyard" in lines
    assert "       -> pip install '.[llm]' in the checkout of Steelyard" in lines
    assert "  yes  OPENAI_API_KEY       for openai: set" in lines
    assert "  no   LAB_KEY              for lab: not set" in lines
    assert found.has_sandbox
    assert strict_json(as_json(found))["has_sandbox"] is True


@pytest.mark.check_all
def test_a_key_is_named_and_never_shown() -> None:
    done = doctor(ANTHROPIC_API_KEY="sk-do-not-show")

    assert finding(done, "ANTHROPIC_API_KEY")["works"] is True
    assert "do-not-show" not in done.stdout + done.stderr


@pytest.mark.check_all
def test_the_models_of_a_whole_installation_can_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("LAB_KEY=sk-do-not-show\n", encoding="utf-8")
    (tmp_path / "steelyard.toml").write_text(
        '[providers.lab]\nkind = "openai"\napi_key_env = "LAB_KEY"\n', encoding="utf-8"
    )

    shown = typed(capsys, "doctor")

    monkeypatch.delenv("LAB_KEY")
    assert "  yes  llm                  models can be asked" in shown.out
    assert "  yes  LAB_KEY              for lab: set" in shown.out
    assert "do-not-show" not in shown.out + shown.err


def test_a_format_that_does_not_exist_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    shown = typed(capsys, "doctor", "--format", "xml")

    assert (shown.code, shown.err) == (2, "error: unknown format 'xml'; choose text or json\n")


def test_a_program_that_does_not_answer_has_no_version() -> None:
    assert first_line(("/no/such/program",)) == ("", False)


@pytest.mark.check_all
def test_a_tool_that_fails_is_no_tool_and_says_why() -> None:
    unchosen = "echo noise; echo 'error: rustup could not choose, and no default is configured.' >&2; exit 1"
    said = {"rustc": first_line(("sh", "-c", unchosen)), "gcc": first_line(("sh", "-c", "echo oh; exit 2"))}
    machine = Machine(
        which=lambda name: name if name in said else None,
        version=lambda words: said[words[0]],
        sandboxes=lambda: [WORKING],
    )

    lines = as_text(health(machine)).splitlines()

    why = "does not work: error: rustup could not choose, and no default is configured."
    at = lines.index(f"  no   rustc                for Rust: {why}")
    assert lines[at + 1] == "       -> rustup default stable"
    assert "  no   gcc                  for C and C++: does not work: oh" in lines


@pytest.mark.check_all
def test_the_packages_of_eval_sets_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = use_wheels(tmp_path, monkeypatch)
    before = cached_packages()
    interpreter_of(Environment(requirements="weights==1.0"))
    (cache / "half.part" / "packages").mkdir(parents=True)

    found = health(Machine(sandboxes=lambda: [WORKING]))

    [kept] = [finding for finding in found.findings if finding.name == "environments"]
    assert (before.count, before.size) == (0, 0)
    assert kept.detail.startswith(f"1 of eval sets in {cache}, 0.0 MB")
    assert {"uv", "pip"} <= {finding.name for finding in found.of(Part.TOOLCHAIN)}


def test_folders_of_packages_are_shown_where_a_variable_names_them(tmp_path: Path) -> None:
    named = {vendored.FOLDER_ENV: str(tmp_path), npm.FOLDER_ENV: str(tmp_path / "none")}
    machine = Machine(
        sandboxes=lambda: [WORKING],
        version=lambda _: VersionLine(""),
        folder_in=lambda name: named.get(name, ""),
    )

    lines = as_text(health(machine)).splitlines()

    assert f"  yes  crates               for Rust: STEELYARD_CARGO_VENDOR names {tmp_path}" in lines
    gone = f"STEELYARD_NODE_MODULES names {tmp_path / 'none'}, which is no folder"
    assert f"  no   node_modules         for JavaScript and TypeScript: {gone}" in lines
    assert any("-> make it with `npm ci --ignore-scripts`" in line for line in lines)
    assert not any("STEELYARD_TERRAFORM_PROVIDERS" in line for line in lines)


def test_the_folder_in_a_variable_is_that_of_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(vendored.FOLDER_ENV, str(tmp_path))

    assert Machine().folder_in(vendored.FOLDER_ENV) == str(tmp_path)
