"""Send reports of Steelyard to MLflow: `steelyard report RUN --sink mlflow`.

A run of Steelyard becomes a parent run with the report as files; each subject becomes a child run with its
numbers, so that MLflow's table compares them. MLflow's own variables say where all of it goes:
MLFLOW_TRACKING_URI, MLFLOW_EXPERIMENT_NAME (by default the name of the eval set), and those for keys.
"""

import os
import re
import time

from mlflow import MlflowClient
from mlflow.entities import Metric, Param, RunTag

from steelyard.model.sent_run import SentRun, SentSubject

KEY = "steelyard.key"  # the tag by which a run that was sent before is found again
PARENT = "mlflow.parentRunId"  # MLflow's own tag: its table folds the children of a run
LONGEST_NAME = 250  # characters that MLflow shows of the name of a run or an experiment
LONGEST_VALUE = 500  # characters of a parameter or a tag that every store of MLflow takes


class MlflowSink:
    """Keeps reports in MLflow."""

    def __init__(self) -> None:
        self._client = MlflowClient()

    def send(self, run: SentRun) -> str:
        """Send a run and its report, and return in one line where they can be found."""
        name = os.environ.get("MLFLOW_EXPERIMENT_NAME") or _experiment_name(run)
        experiment = self._experiment(name)
        parent = self._run(experiment, run.key, run.name)
        self._log(parent, run.parameters, run.tags)
        for file, text in run.files.items():
            self._client.log_text(parent, text, file)
        for subject in run.subjects:
            child = self._run(experiment, subject.key, f"{subject.model} {subject.tier}")
            tags = {**run.tags, PARENT: parent}
            self._log(child, {**run.parameters, **subject.parameters}, tags, subject)
            self._client.update_run(child, status="FINISHED")
        # Not `set_terminated`, which prints.
        self._client.update_run(parent, status="FINISHED")
        return f"run {parent} of experiment {name} at {self._client.tracking_uri}"

    def _experiment(self, name: str) -> str:
        """Return the id of the experiment with this name; make it if there is none."""
        found = self._client.get_experiment_by_name(name)
        return str(self._client.create_experiment(name) if found is None else found.experiment_id)

    def _run(self, experiment: str, key: str, name: str) -> str:
        """Return the id of MLflow's run with this key; begin one if there is none."""
        # A key is made of hexadecimal digits, so it needs no quoting.
        found = self._client.search_runs([experiment], f"tags.`{KEY}` = '{key}'", max_results=1)
        if found:
            return str(found[0].info.run_id)
        begun = self._client.create_run(experiment, tags={KEY: key}, run_name=_shown(name))
        return str(begun.info.run_id)

    def _log(
        self,
        run: str,
        parameters: dict[str, str],
        tags: dict[str, str],
        subject: SentSubject | None = None,
    ) -> None:
        """Send what is said about one of MLflow's runs, in one call."""
        now = int(time.time() * 1000)
        metrics = {} if subject is None else subject.metrics
        self._client.log_batch(
            run,
            metrics=[Metric(name, value, now, 0) for name, value in metrics.items()],
            params=[Param(name, value[:LONGEST_VALUE]) for name, value in parameters.items()],
            tags=[RunTag(name, value[:LONGEST_VALUE]) for name, value in tags.items()],
        )


def _experiment_name(run: SentRun) -> str:
    """Return the name of the eval set, without signs that MLflow's own search would stumble over."""
    return re.sub(r"[^\w .:/@+-]", "_", run.parameters.get("eval_set", "steelyard"))[:LONGEST_NAME] or "-"


def _shown(name: str) -> str:
    """Return a name that fits, whatever it holds: names of models come from anywhere."""
    return "".join(char if char.isprintable() else "?" for char in name)[:LONGEST_NAME] or "-"
