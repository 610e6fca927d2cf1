"""Read Harbor's task folders, of schema versions 1.0 to 1.4."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.task import LANGUAGE, HealthCheck, Network, StepRewards, Task, TaskStep

TASK_FILE = "task.toml"
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4")
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::-(?P<default>[^}]*))?\}")
AGENT_S, VERIFIER_S = 600.0, 600.0  # time limits of tasks that state none
MEBIBYTES = {"K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0 * 1024}


def _mebibytes(value: object) -> object:
    """Read sizes such as "2G"; numbers are MiB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])i?B?", str(value).strip().upper())
    return round(float(match[1]) * MEBIBYTES[match[2]]) if match else value


MEMORY = Field(validation_alias=AliasChoices("memory_mb", "memory"))
VERSION = Field(validation_alias=AliasChoices("schema_version", "version"))
Text = Annotated[str, BeforeValidator(str)]


class Table(BaseModel):
    """A table whose other keys are of no consequence here."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class HealthTable(Table):
    """`[healthcheck]`."""

    command: str
    interval_sec: float = 5.0
    timeout_sec: float = 30.0
    retries: int = 3


class EnvironmentTable(Table):
    """`[environment]`."""

    build_timeout_sec: float = 600.0
    docker_image: str = ""
    os: Literal["linux"] = "linux"
    cpus: float | None = None
    memory_mb: Annotated[int | None, BeforeValidator(_mebibytes), MEMORY] = None
    gpus: Literal[0] | None = None
    env: Mapping[str, Text] = {}
    workdir: str = ""
    network_mode: Network | None = None
    allow_internet: bool = True
    allowed_hosts: tuple[str, ...] = ()
    healthcheck: HealthTable | None = None
    mcp_servers: Annotated[tuple[Any, ...], Field(max_length=0)] = ()


class AgentTable(Table):
    """`[agent]`."""

    timeout_sec: float | None = None
    user: Text = ""


class VerifierTable(Table):
    """`[verifier]`."""

    timeout_sec: float | None = None
    env: Mapping[str, Text] = {}
    user: Text = ""
    environment_mode: Literal["shared", "separate"] | None = None
    environment: EnvironmentTable | None = None


class StepTable(Table):
    """One of `[[steps]]`."""

    name: str
    agent: AgentTable = AgentTable()
    verifier: VerifierTable = VerifierTable()
    min_reward: float | Mapping[str, float] | None = None
    healthcheck: HealthTable | None = None


class NameTable(Table):
    """`[task]`."""

    name: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()


class SolutionTable(Table):
    """`[solution]`."""

    env: Mapping[str, Text] = {}


class TaskTable(Table):
    """The whole file."""

    schema_version: Annotated[Text, VERSION] = "1.0"
    task: NameTable = NameTable()
    agent: AgentTable = AgentTable()
    verifier: VerifierTable = VerifierTable()
    environment: EnvironmentTable = EnvironmentTable()
    solution: SolutionTable = SolutionTable()
    steps: tuple[StepTable, ...] = ()
    artifacts: tuple[Any, ...] = ()
    multi_step_reward_strategy: StepRewards = StepRewards.MEAN


def is_task_folder(path: Path) -> bool:
    """Whether a folder is a task of Harbor."""
    return (path / TASK_FILE).is_file()


def read_task(folder: Path) -> Case:
    """Return the case of a task folder; raises InputError with all that is wrong."""
    folder = folder.resolve()
    table = _read_table(folder)
    name = table.task.name or folder.name
    suite, _, short = name.rpartition("/")
    steps = tuple(_step(folder, table, step) for step in table.steps) or (_only_step(folder, table),)
    return Case(
        id=short,
        suite=suite or "default",
        prompt="\n\n".join(step.prompt for step in steps),
        language=LANGUAGE,
        timeout_s=max(step.verifier_timeout_s for step in steps),
        task=_task(folder, table, steps),
        description=table.task.description,
        tags=table.task.keywords,
    )


def _read_table(folder: Path) -> TaskTable:
    path = folder / TASK_FILE
    try:
        table = TaskTable.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    except ValidationError as error:
        problems = [
            f"  {'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_url=False)
        ]
        raise InputError("\n".join([f"{path}: not supported or wrong:", *problems])) from error
    if table.schema_version not in VERSIONS:
        raise InputError(
            f"{path}: schema_version {table.schema_version!r} is unknown; "
            f"{VERSIONS[0]} to {VERSIONS[-1]} are read"
        )
    environment = folder / "environment"
    if not table.environment.docker_image and not (environment / "Dockerfile").is_file():
        raise InputError(
            f"{environment}: has no Dockerfile (a task with a docker-compose.yaml is not supported)"
        )
    return table


def _task(folder: Path, table: TaskTable, steps: tuple[TaskStep, ...]) -> Task:
    environment, verifier = table.environment, table.verifier
    mode = verifier.environment_mode or ("separate" if verifier.environment else "shared")
    network = environment.network_mode or (Network.PUBLIC if environment.allow_internet else Network.NONE)
    task = Task(
        digest=_folder_digest(folder),
        folder=str(folder),
        image=environment.docker_image,
        workdir=environment.workdir,
        steps=steps,
        has_own_verifier=mode == "separate",
        strategy=table.multi_step_reward_strategy,
        build_timeout_s=environment.build_timeout_sec,
        cpus=environment.cpus,
        memory_mb=environment.memory_mb,
        env=_expand(environment.env),
        solution_env=_expand(table.solution.env),
        network=network,
        allowed_hosts=environment.allowed_hosts,
    )
    if mode == "separate" and not (folder / "tests" / "Dockerfile").is_file():
        raise InputError(f"{folder}/tests: has no Dockerfile, which a separate verifier needs")
    return task


def _only_step(folder: Path, table: TaskTable) -> TaskStep:
    return replace(
        _step_defaults(table),
        prompt=_instruction(folder),
        health_check=_health_check(table.environment.healthcheck),
    )


def _step(folder: Path, table: TaskTable, step: StepTable) -> TaskStep:
    defaults = _step_defaults(table)
    return TaskStep(
        name=step.name,
        prompt=_instruction(folder / "steps" / step.name),
        agent_timeout_s=step.agent.timeout_sec or defaults.agent_timeout_s,
        agent_user=step.agent.user or defaults.agent_user,
        verifier_timeout_s=step.verifier.timeout_sec or defaults.verifier_timeout_s,
        verifier_user=step.verifier.user or defaults.verifier_user,
        verifier_env={**defaults.verifier_env, **_expand(step.verifier.env)},
        min_rewards=_min_rewards(step.min_reward),
        health_check=_health_check(step.healthcheck),
    )


def _min_rewards(minimum: float | Mapping[str, float] | None) -> Mapping[str, float]:
    if minimum is None:
        return {}
    return minimum if isinstance(minimum, Mapping) else {"reward": minimum}


def _step_defaults(table: TaskTable) -> TaskStep:
    agent, verifier = table.agent, table.verifier
    return TaskStep(
        prompt="",
        agent_timeout_s=agent.timeout_sec or AGENT_S,
        agent_user=agent.user,
        verifier_timeout_s=verifier.timeout_sec or VERIFIER_S,
        verifier_user=verifier.user,
        verifier_env=_expand(verifier.env),
    )


def _instruction(folder: Path) -> str:
    path = folder / "instruction.md"
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def _health_check(table: HealthTable | None) -> HealthCheck | None:
    if table is None:
        return None
    return HealthCheck(
        command=table.command,
        interval_s=table.interval_sec,
        timeout_s=table.timeout_sec,
        retries=table.retries,
    )


def _expand(env: Mapping[str, str]) -> dict[str, str]:
    """Return variables with `${NAME}` and `${NAME:-default}` filled from this machine's environment."""

    def value(match: re.Match[str]) -> str:
        known = os.environ.get(match["name"], match["default"])
        if known is None:
            raise InputError(f"the environment variable {match['name']} is not set, and a task needs it")
        return known

    return {name: VARIABLE.sub(value, text) for name, text in env.items()}


def _folder_digest(folder: Path) -> str:
    """Return a digest of all files of a task."""
    digest = sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = str(path.relative_to(folder)).encode("utf-8", "surrogateescape")
        mode = b"x" if path.stat().st_mode & 0o100 else b"-"
        digest.update(name + b"\0" + mode + sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]
