"""The sink of MLflow does what every sink must, in a store of MLflow in a folder.

PYTHONPATH=. python -m pytest -c /dev/null examples/mlflow-sink
"""

from pathlib import Path

import pytest
from mlflow import MlflowClient
from mlflow.entities import Run
from steelyard_mlflow import KEY, PARENT, MlflowSink
from typing_extensions import override

from steelyard.model.sent_run import SentRun
from tests.conformance.sink_suite import Kept, SinkSuite


class TestMlflowSink(SinkSuite):
    """The promises of a sink."""

    @pytest.fixture(autouse=True)
    def _store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # A folder is quicker than a database, and MLflow wants to be asked for it.
        monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
        monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "mlruns").as_uri())

    @override
    def sink(self) -> MlflowSink:
        """Return a new sink."""
        return MlflowSink()

    @override
    def kept(self, run: SentRun) -> list[Kept]:
        """Return what MLflow keeps of a run."""
        client = MlflowClient()
        experiments = [one.experiment_id for one in client.search_experiments()]
        runs = client.search_runs(experiments)
        parents = [one for one in runs if one.data.tags.get(KEY) == run.key]
        return [_kept(client, parent, runs) for parent in parents]


def _kept(client: MlflowClient, parent: Run, runs: list[Run]) -> Kept:
    children = [one for one in runs if one.data.tags.get(PARENT) == parent.info.run_id]
    folder = Path(client.download_artifacts(parent.info.run_id, ""))
    return Kept(
        metrics={one.data.tags[KEY]: dict(one.data.metrics) for one in children},
        parameters={one.data.tags[KEY]: dict(one.data.params) for one in children},
        tags=dict(parent.data.tags),
        files={path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()},
    )
