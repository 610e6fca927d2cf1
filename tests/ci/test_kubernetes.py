"""The manifests for Kubernetes: valid by its schemas, and their commands make the run of one machine."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

import steelyard
from steelyard.render.json import JsonRenderer
from tests.ci.repository_files import read
from tests.house.package import REPOSITORY

FOLDER = REPOSITORY / "examples/kubernetes"
SHARDS, MERGE = read(FOLDER / "shards.yaml"), read(FOLDER / "merge.yaml")
RAY_PAGE = REPOSITORY / "docs/how-to/run-on-a-cluster.md"
VERSION = "1.36"


def container(manifest: dict[str, Any]) -> dict[str, Any]:
    [only] = manifest["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


def settings(manifest: dict[str, Any]) -> dict[str, str]:
    return {one["name"]: one["value"] for one in container(manifest)["env"]}


def execute(manifest: dict[str, Any], folder: Path, **variables: str) -> str:
    """Do what a pod does, in a folder: its command in its environment, with some variables of the test."""
    one = container(manifest)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = settings(manifest) | {"PATH": path, "HOME": str(folder)} | variables
    for name in ("STEELYARD_RUN_MODELS", "STEELYARD_RUN_MAX_USD"):
        given.pop(name, None)
    done = subprocess.run(
        [*one["command"], *one["args"]], cwd=folder, env=given, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.mark.parametrize("manifest", [SHARDS, MERGE], ids=["shards", "merge"])
def test_a_manifest_is_valid_by_the_schemas_of_kubernetes(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_a_misspelt_field_would_be_found() -> None:
    wrong = {**SHARDS, "spec": {**SHARDS["spec"], "completion": 16}}

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSION, strict=True)


def test_the_pods_of_the_ray_job_are_valid_too() -> None:
    [block] = re.findall(
        r"^```yaml\n(apiVersion: ray.*?)^```$", RAY_PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    cluster = yaml.safe_load(block)["spec"]["rayClusterSpec"]

    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one"}, **group["template"]}
        kubernetes_validate.validate(pod, VERSION, strict=True)


def test_there_are_as_many_pods_as_shards_and_both_jobs_name_the_same_run() -> None:
    assert SHARDS["spec"]["completions"] == int(settings(SHARDS)["SHARDS"])
    assert settings(SHARDS)["SHARDS"] == settings(MERGE)["SHARDS"]
    assert settings(SHARDS)["RUN"] == settings(MERGE)["RUN"]


@pytest.mark.timeout(600)
def test_the_commands_of_the_pods_make_the_run_that_one_machine_makes(tmp_path: Path) -> None:
    steelyard.init(tmp_path / "demo")
    chosen, answers = tmp_path / "demo/eval-sets/first.toml", tmp_path / "demo/answers/first.jsonl"
    given = {"SHARDS": "3", "RUN": "runs", "EVAL_SET": str(chosen), "STEELYARD_RUN_REPLAY": str(answers)}

    for index in (0, 2, 1, 2):  # in any order, and one of them twice
        execute(SHARDS, tmp_path, JOB_COMPLETION_INDEX=str(index), **given)
    execute(MERGE, tmp_path, **given)

    alone = steelyard.run(chosen, address=tmp_path / "alone", replay=answers)
    merged = steelyard.open_run(tmp_path / "runs/whole")
    assert JsonRenderer().render(merged.report()) == JsonRenderer().render(alone.report())
