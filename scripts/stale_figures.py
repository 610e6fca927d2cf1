"""List the figures of the documentation whose measured packages changed since their commit.

Run: python -m scripts.stale_figures
"""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from scripts.measured_at import REPOSITORY, stamps

FIGURES = Path("docs/explanation/data")
PACKAGES = Path("src/steelyard")
VIEWER = ("app/view", "store", "web")
# Script or study → the packages whose work it measures.
MEASURED: Mapping[str, tuple[str, ...]] = {
    "perf.open_run": ("analysis", "metrics", "store"),
    "perf.run_store": ("analysis", "metrics", "store"),
    "perf.runner_scale": ("runner", "store"),
    "perf.sandboxes": ("checks", "runner", "sandbox"),
    "perf.simulated_size": ("runner", "store"),
    "perf.view_peers": VIEWER,
    "perf.view_scale": VIEWER,
    "perf.simulations": ("analysis", "metrics"),
}


def script_of(made_by: str) -> str:
    """Return the module in a command.

    >>> script_of("python -m perf.simulations gates")
    'perf.simulations'
    """
    return made_by.split()[2]


def stale_figures(
    repository: Path = REPOSITORY, measured: Mapping[str, tuple[str, ...]] = MEASURED
) -> Iterator[str]:
    """Yield one line for each file of figures and commit after which its packages changed."""
    for file in sorted((repository / FIGURES).glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        packages = measured[script_of(data["made_by"])]
        for commit in sorted({stamp["commit"] for stamp in stamps(data)}):
            if change := _change(repository, commit, packages):
                yield f"{file.name} {commit} ({', '.join(packages)}): {change}"


def _change(repository: Path, commit: str, packages: tuple[str, ...]) -> str:
    """Return what changed in some packages since a commit; empty if nothing did."""
    paths = [str(PACKAGES / package) for package in packages]
    command = ["git", "diff", "--shortstat", commit, "HEAD", "--", *paths]
    ended = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    return ended.stdout.strip() if ended.returncode == 0 else "this commit is not in the repository"


if __name__ == "__main__":
    print("\n".join(stale_figures()) or "no figure is stale")
