"""Hold a task for an agent: its container, its steps, and how the result is verified."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

LANGUAGE = "task"  # of cases that are tasks: the answer is a patch of a workspace


class Network(StrEnum):
    """Which hosts the containers of a task may reach, by the names of Harbor."""

    NONE = "no-network"
    ALLOW_LIST = "allowlist"
    PUBLIC = "public"


class StepRewards(StrEnum):
    """How the rewards of steps become the task's reward."""

    MEAN = "mean"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """A command that must succeed before a step begins."""

    command: str
    interval_s: float = 5.0
    timeout_s: float = 30.0
    retries: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStep:
    """One instruction to the agent, with its tests. The only step of a task has no name."""

    name: str = ""
    prompt: str
    agent_timeout_s: float = 600.0
    agent_user: str = ""
    verifier_timeout_s: float = 600.0
    verifier_user: str = ""
    verifier_env: Mapping[str, str] = field(default_factory=dict)
    min_rewards: Mapping[str, float] = field(default_factory=dict)  # below them, later steps count 0
    health_check: HealthCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTests:
    """The tests that must pass, by pytest's ids, and the script that runs them, as SWE-bench has them."""

    script: str
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    files: tuple[str, ...] = ()  # that the script replaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task in a container; its files stay in `folder`, and `digest` tells when they change.

    `image` names an image, or the folder `environment` has a Dockerfile. With `has_own_verifier` the folder
    `tests` has the Dockerfile of another one, in which the result is verified.
    """

    digest: str
    folder: str = ""
    image: str = ""
    workdir: str = ""  # empty: the image's
    steps: tuple[TaskStep, ...]
    has_own_verifier: bool = False
    strategy: StepRewards = StepRewards.MEAN
    build_timeout_s: float = 600.0
    cpus: float | None = None
    memory_mb: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    solution_env: Mapping[str, str] = field(default_factory=dict)
    network: Network = Network.NONE
    allowed_hosts: tuple[str, ...] = ()
    expected: ExpectedTests | None = None
    hides_history: bool = False  # the agent gets the repository as one commit
