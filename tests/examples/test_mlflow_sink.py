"""The example of a sink keeps reports in a real MLflow, installed as a user installs it.

STEELYARD_MLFLOW names a Python that has this checkout, `examples/mlflow-sink` and pytest.
"""

import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.repo.package import REPOSITORY
from tests.store.run.small_run import small_run

PYTHON = os.environ.get("STEELYARD_MLFLOW", "")
needs_mlflow = pytest.mark.skipif(not PYTHON, reason="STEELYARD_MLFLOW names no Python with MLflow")
pytestmark = pytest.mark.timeout(600)  # loading MLflow takes seconds, and more on a busy machine
EXAMPLE = REPOSITORY / "examples" / "mlflow-sink"
READ = """
from mlflow import MlflowClient
client = MlflowClient()
(experiment,) = [one for one in client.search_experiments() if one.name == "steelyard"]
for run in client.search_runs([experiment.experiment_id]):
    print(run.info.run_name, run.info.status, run.data.metrics.get("pass_at_1_high"))
"""


def started(*words: str, folder: Path, python_path: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with the Python that has MLflow, whose runs go to a folder."""
    env = {
        **os.environ,
        "MLFLOW_ALLOW_FILE_STORE": "true",  # quicker than a database, and MLflow wants to be asked for it
        "MLFLOW_TRACKING_URI": (folder / "mlruns").as_uri(),
        "PYTHONPATH": python_path,
    }
    return subprocess.run(
        [PYTHON, *words], capture_output=True, text=True, cwd=folder, env=env, timeout=240, check=False
    )


def test_the_example_names_its_sink() -> None:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))
    points = project["project"]["entry-points"]["steelyard.sinks"]
    module, _, name = points["mlflow"].partition(":")

    text = (EXAMPLE / f"{module}.py").read_text(encoding="utf-8")

    assert f"class {name}:" in text


@needs_mlflow
def test_the_example_passes_the_suite_for_sinks(tmp_path: Path) -> None:
    options = ("-q", "-c", os.devnull, "--rootdir", str(tmp_path), "-p", "no:cacheprovider")

    ended = started("-m", "pytest", *options, str(EXAMPLE), folder=tmp_path, python_path=str(REPOSITORY))

    assert ended.returncode == 0, ended.stdout
    assert "7 passed" in ended.stdout


@needs_mlflow
def test_a_report_is_sent_to_mlflow_by_the_command_line(tmp_path: Path) -> None:
    small_run(tmp_path / "run").finish()
    words = ("-m", "steelyard", "report", "run", "--format", "csv", "--sink", "mlflow")

    ended = started(*words, folder=tmp_path)

    read = started("-c", READ, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("model,tier,")
    assert "sent to mlflow: run " in ended.stderr
    lines = sorted(read.stdout.splitlines())
    assert [line.split(" FINISHED ")[0] for line in lines] == ["acme/one T0", "acme/two T0", "run"]
    assert 0 < float(lines[0].split()[-1]) <= 1
