"""Detect the CI host of a job from the environment, and write its step outputs.

GitHub and GitLab are supported; elsewhere the same job runs without a comment.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from steelyard.app.ci.comment import Thread

COMMIT_VARIABLES = ("GITHUB_SHA", "CI_COMMIT_SHA")


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """The CI host of a job: its commit, and the comments of its pull request if it may write them."""

    commit: str | None = None
    thread: Thread | None = None
    why_silent: str = "this is not a pull request"  # why there is no thread


def host_of(environment: Mapping[str, str] = os.environ) -> Host:
    """Detect the host of this job."""
    commit = next((environment[name] for name in COMMIT_VARIABLES if environment.get(name)), None)
    if environment.get("GITHUB_ACTIONS"):
        return _github(environment, commit)
    if environment.get("GITLAB_CI"):
        return _gitlab(environment, commit)
    return Host(commit=commit, why_silent="this host is neither GitHub nor GitLab")


def write_github_outputs(
    outputs: Mapping[str, str], summary: str, environment: Mapping[str, str] = os.environ
) -> None:
    """Write outputs for later steps, and the comment to the job summary."""
    for variable, text in (
        ("GITHUB_OUTPUT", "".join(f"{name}={value}\n" for name, value in outputs.items())),
        ("GITHUB_STEP_SUMMARY", summary),
    ):
        if path := environment.get(variable):
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(text)


def _github(environment: Mapping[str, str], commit: str | None) -> Host:
    number, head = _pull_request(environment.get("GITHUB_EVENT_PATH"))
    if number is None:
        return Host(commit=commit)
    token = environment.get("GITHUB_TOKEN", "").strip()
    if not token.isprintable() or not token:
        return Host(commit=head or commit, why_silent="GITHUB_TOKEN is not set")
    api = environment.get("GITHUB_API_URL", "https://api.github.com")
    root = f"{api}/repos/{environment['GITHUB_REPOSITORY']}/issues"
    return Host(
        commit=head or commit,
        thread=Thread(
            comments=f"{root}/{number}/comments",
            comment=f"{root}/comments/",
            edit="PATCH",
            author="user",
            whoami=f"{api}/user",
            headers={"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"},
        ),
    )


def _pull_request(event: str | None) -> tuple[int | None, str | None]:
    """Return the number and the head commit of an event's pull request."""
    if not event:
        return None, None
    try:
        text = json.loads(Path(event).read_text(encoding="utf-8"))
        request = text["pull_request"]
        return int(request["number"]), str(request["head"]["sha"])
    except (OSError, ValueError, KeyError, TypeError):
        return None, None  # a push, a schedule, or an unknown event


def _gitlab(environment: Mapping[str, str], commit: str | None) -> Host:
    number = environment.get("CI_MERGE_REQUEST_IID")
    if not number:
        return Host(commit=commit)
    # A job's own token may not write comments.
    token = environment.get("STEELYARD_GITLAB_TOKEN", "").strip()
    if not token.isprintable() or not token:
        return Host(commit=commit, why_silent="STEELYARD_GITLAB_TOKEN is not set")
    api = environment["CI_API_V4_URL"]
    # The merge request of a fork belongs to the target project; its job may run in the fork.
    project = environment.get("CI_MERGE_REQUEST_PROJECT_ID") or environment["CI_PROJECT_ID"]
    notes = f"{api}/projects/{project}/merge_requests/{number}/notes"
    return Host(
        commit=commit,
        thread=Thread(
            comments=notes,
            comment=f"{notes}/",
            edit="PUT",
            author="author",
            whoami=f"{api}/user",
            headers={"PRIVATE-TOKEN": token},
        ),
    )
