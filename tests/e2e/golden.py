"""The golden reports of the shipped eval sets, and how to make them again.

python -m tests.e2e.golden        # runs every set, and writes tests/golden/runs/*.json

Read the difference before committing it. A report is kept whole but for what the clock decides and for the
version of Steelyard; lint and test counts are those of the toolchains that CI installs.
"""

import json
import os
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import steelyard
from steelyard.cli.main import main
from tests.e2e.answers import answering
from tests.e2e.lab import KEY, KEY_NAME, VENDORS, config
from tests.fake_providers.server import Behaviour, serving
from tests.repo.package import REPOSITORY

FOLDER = REPOSITORY / "tests" / "golden" / "runs"
# What is left out: all that says how long something took, and who wrote the report.
NOT_KEPT = frozenset(
    {"generator", "duration_s", "latency_s", "mean_latency_s", "latency_p95_s", "latency_score"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Golden:
    """One run whose report is kept."""

    eval_set: str
    models: tuple[str, ...]
    samples: int

    @property
    def path(self) -> Path:
        """Where its report is."""
        return FOLDER / f"{self.eval_set}.json"

    def command(self) -> list[str]:
        """Return the words of the command line."""
        words = ["--eval-set", self.eval_set, "--models", ",".join(self.models)]
        words += ["--samples", str(self.samples), "--pass-k", f"1,{self.samples}"]
        # One call at a time: not every protocol has a seed, by which the server would know the attempt.
        return [*words, "--max-concurrency", "1"]


GOLDEN = (
    Golden(eval_set="rust-basics", models=("openai/fair",), samples=2),
    Golden(eval_set="python-basics", models=("anthropic/strong",), samples=2),
    Golden(eval_set="terraform-basics", models=("google/weak",), samples=2),
    Golden(eval_set="behaviour", models=("openai/strong", "anthropic/fair", "google/weak"), samples=3),
)


def behaviour_for(golden: Golden) -> Behaviour:
    """Return a server's behaviour: it knows the answers to a set."""
    return Behaviour(answer=answering(steelyard.read_eval_set(golden.eval_set)))


def kept(report: object) -> Any:  # noqa: ANN401  # JSON
    """Return a report without what is not kept."""
    if isinstance(report, Mapping):
        return {name: kept(value) for name, value in report.items() if name not in NOT_KEPT}
    return [kept(value) for value in report] if isinstance(report, list) else report


def rendered(report: object) -> str:
    """Return the text of a golden file."""
    return json.dumps(kept(report), indent=1) + "\n"


def refresh(golden: Golden) -> None:
    """Run a set, and write its report."""
    with TemporaryDirectory() as folder, chdir(folder), serving(behaviour_for(golden)) as server:
        text = config({vendor: server.url(vendor) for vendor in VENDORS})
        Path("steelyard.toml").write_text(text, encoding="utf-8")
        assert main(["run", *golden.command(), "-o", "report.json"]) == 0
        report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    golden.path.write_text(rendered(report), encoding="utf-8")


if __name__ == "__main__":
    os.environ[KEY_NAME] = KEY
    for one in GOLDEN:
        refresh(one)
