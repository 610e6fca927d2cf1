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
from steelyard.service.access import OPEN_PATHS
from steelyard.service.counters import Counters
from tests.ci.repository_files import read
from tests.repo.package import REPOSITORY

FOLDER = REPOSITORY / "examples/kubernetes"
SHARDS, MERGE = read(FOLDER / "shards.yaml"), read(FOLDER / "merge.yaml")
SERVICE = list(yaml.safe_load_all((FOLDER / "service.yaml").read_text(encoding="utf-8")))
RAY_PAGE = REPOSITORY / "docs/how-to/run-on-many-machines.md"
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


@pytest.mark.parametrize(
    "manifest", [SHARDS, MERGE, *SERVICE], ids=["shards", "merge", "deployment", "service", "autoscaler"]
)
def test_a_manifest_is_valid_by_the_schemas_of_kubernetes(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, VERSION, strict=True)


def test_the_probes_of_the_service_ask_for_addresses_that_it_has() -> None:
    [checks] = SERVICE[0]["spec"]["template"]["spec"]["containers"]
    probes = {checks[name]["httpGet"]["path"] for name in ("readinessProbe", "livenessProbe")}
    [metric] = SERVICE[2]["spec"]["metrics"]

    assert probes == {"/readyz", "/healthz"} <= OPEN_PATHS
    assert metric["pods"]["metric"]["name"].encode() in Counters().text()


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


FAKE = """#!/bin/sh
echo "$@" >> calls
case $1 in
    apply) cat >> applied ;;
    get) grep "^$3 " conditions >/dev/null || exit 1
        sed -n "s/^$3 //p" conditions | head -n 1
        sed -i "0,/^$3 /{/^$3 /d}" conditions ;;
esac
"""


def submitted(folder: Path, conditions: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the script that submits, with a `kubectl` that tells these conditions of jobs one by one."""
    (folder / "kubectl").write_text(FAKE, encoding="utf-8")
    (folder / "kubectl").chmod(0o755)
    (folder / "conditions").write_text(conditions, encoding="utf-8")
    return subprocess.run(
        [FOLDER / "submit.sh"],
        cwd=folder,
        env={"PATH": f"{folder}:{os.environ['PATH']}", "POLL_S": "0", **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
    )


def test_each_night_is_a_run_of_its_own_and_merged_when_it_is_generated(tmp_path: Path) -> None:
    conditions = (
        "steelyard-shards-2026-11-18 \n"
        "steelyard-shards-2026-11-18 SuccessCriteriaMet\n"
        "steelyard-shards-2026-11-18 SuccessCriteriaMet Complete\n"
        "steelyard-merge-2026-11-18 Complete\n"
    )

    done = submitted(tmp_path, conditions, NIGHT="2026-11-18")

    assert done.returncode == 0, done.stderr
    calls = [line.split()[0] for line in (tmp_path / "calls").read_text(encoding="utf-8").splitlines()]
    assert calls == ["apply", "get", "get", "get", "apply", "get", "logs"]
    applied = (tmp_path / "applied").read_text(encoding="utf-8")
    assert applied.count("s3://evals/runs/2026-11-18") == 2
    assert "NIGHT" not in applied


def test_shards_that_failed_are_not_waited_for(tmp_path: Path) -> None:
    done = submitted(tmp_path, "steelyard-shards-n1 FailureTarget\nsteelyard-shards-n1 Failed\n", NIGHT="n1")

    assert done.returncode == 1
    assert "error: the job steelyard-shards-n1 failed" in done.stderr
    assert "merge" not in (tmp_path / "calls").read_text(encoding="utf-8")


def test_without_a_date_it_is_that_of_today(tmp_path: Path) -> None:
    assert submitted(tmp_path, "").returncode == 1  # there is no such job
    assert re.search(r"steelyard-shards-\d{4}-\d\d-\d\d ", (tmp_path / "calls").read_text(encoding="utf-8"))


@pytest.mark.check_all
@pytest.mark.timeout(600)
def test_the_commands_of_the_pods_make_the_run_that_one_machine_makes(tmp_path: Path) -> None:
    steelyard.init(tmp_path / "demo")
    chosen, answers = tmp_path / "demo/eval-sets/first.toml", tmp_path / "demo/answers/first.jsonl"
    given = {"SHARDS": "3", "RUN": "runs", "EVAL_SET": str(chosen), "STEELYARD_RUN_REPLAY": str(answers)}

    for index in (0, 2, 1, 2):  # in any order, and one of them twice
        execute(SHARDS, tmp_path, JOB_COMPLETION_INDEX=str(index), **given)
    for _ in range(2):  # a Job may repeat it
        execute(MERGE, tmp_path, **given)

    alone = steelyard.run(chosen, address=tmp_path / "alone", replay=answers)
    merged = steelyard.open_run(tmp_path / "runs/whole")
    assert JsonRenderer().render(merged.report()) == JsonRenderer().render(alone.report())
