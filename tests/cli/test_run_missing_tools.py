"""A run on a machine that lacks a tool ends with 2 before anything is generated, and leaves no run behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

AGENT = """
models = ["agent/m"]
[providers.agent]
kind = "command"
[providers.agent.options]
command = ["true"]
ignore = ["temperature", "max_tokens"]
"""
C_SET = """
[eval_set]
id = "c"
default_language = "c"
[[cases]]
id = "add"
prompt = "Add."
expectations.tests = "int main(void) { return 0; }"
"""


def run_without(folder: Path, tool: str, eval_set: str) -> subprocess.CompletedProcess[str]:
    """Run on a machine where everything is but one tool."""
    programs = folder / "bin"
    programs.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*") if Path(place).is_dir() else ():
            link = programs / program.name
            if program.name != tool and not link.exists():
                link.symlink_to(program)
    (folder / "steelyard.toml").write_text(AGENT, encoding="utf-8")
    (folder / "c.toml").write_text(C_SET, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "steelyard", "run", "--eval-set", eval_set],
        cwd=folder,
        env={**os.environ, "PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("tool", "eval_set", "advice"),
    [
        ("bwrap", "python-basics", "bubblewrap is not installed; run `apt-get install bubblewrap`"),
        ("rustc", "rust-basics", "rustup"),
        ("terraform", "terraform-basics", "terraform"),
        ("gcc", "c.toml", "the recipe 'c' needs gcc"),
    ],
)
def test_run_names_a_missing_tool_before_anything_is_generated(
    tmp_path: Path, tool: str, eval_set: str, advice: str
) -> None:
    done = run_without(tmp_path, tool, eval_set)

    assert done.returncode == 2, done.stderr
    assert advice in done.stderr
    assert "doctor" in done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("eval_set", "message"),
    [
        ("python-basics", "bwrap exited before starting"),  # its interpreter is started beforehand
        ("c.toml", "c: 1 reference does not pass; nothing was generated:\n  case add: not checked: "),
    ],
)
def test_a_sandbox_that_starts_nothing_ends_the_run_with_3_before_anything_is_generated(
    tmp_path: Path, eval_set: str, message: str
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "bwrap").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (broken / "bwrap").chmod(0o755)
    (tmp_path / "steelyard.toml").write_text(AGENT, encoding="utf-8")
    reference = 'reference = "int add(int a, int b) { return a + b; }"\nexpectations.tests'
    (tmp_path / "c.toml").write_text(C_SET.replace("expectations.tests", reference), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "steelyard", "run", "--eval-set", eval_set],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{broken}{os.pathsep}{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(tmp_path / "cache"),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 3, done.stderr
    assert message in done.stderr
    assert not (tmp_path / "runs").exists()
