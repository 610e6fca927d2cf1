"""Run an agent's command line in the container of a task, and return what it changed as a patch."""

import asyncio
import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path

from steelyard.checks.tasks.archive import write_archive
from steelyard.checks.tasks.solution import do_nothing, solve
from steelyard.checks.tasks.trial import Agent as TrialAgent
from steelyard.checks.tasks.trial import Attempt, run_trial
from steelyard.checks.tasks.workspace import Workspaces
from steelyard.errors import ProviderError, SandboxError
from steelyard.model.config import ProviderSettings
from steelyard.model.container import ContainerCommand, Mount
from steelyard.model.execution import Limit
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.task import Network, Task
from steelyard.model.tree import File
from steelyard.model.units import MICROSECONDS
from steelyard.ports import Sandbox
from steelyard.providers.command.egress.allow_list import ANY_PUBLIC, AllowList, allow_list
from steelyard.providers.command.egress.forward import variables
from steelyard.providers.command.egress.inside import OWN_LOOPBACK
from steelyard.providers.command.egress.proxy import EgressProxy
from steelyard.providers.command.options import Agent, agent_of
from steelyard.providers.command.provider import CommandProvider, bill_of
from steelyard.providers.command.words import FOLDER as PROMPT_FOLDER
from steelyard.providers.command.words import PROMPT_FILE, SYSTEM_PROMPT_FILE, filled, prompt_of
from steelyard.providers.secrets import secret_values, without_secrets
from steelyard.runner.tasks.engine import container_engine
from steelyard.runner.tasks.relay import relay_into

FEWEST_AT_A_TIME = 4
PROMPTS = "/steelyard/agent"  # in the container, outside of the workspace
HOME = "/steelyard/home"  # users of images may have none
# The prompt is also the agent's standard input.
START = ("/bin/sh", "-c", f'exec "$@" < {PROMPTS}/prompt.md', "sh")
COMPLAINT_LENGTH = 500
SOLUTION, NOTHING = "oracle", "nop"
WITHOUT_MODEL: Mapping[str, TrialAgent] = {SOLUTION: solve, NOTHING: do_nothing}


@dataclass(slots=True, kw_only=True)
class Work:
    """What an agent did in one trial, over all steps."""

    usage: Usage = field(default_factory=Usage)
    cost_nano_usd: int | None = None
    seconds: float = 0.0
    finish_reason: str = "stop"


class TaskProvider:
    """Runs an agent on tasks, a bounded number of them at a time."""

    def __init__(self, settings: ProviderSettings, *, agent: Agent | None, reports_cost: bool = True) -> None:
        """Without `agent`, the name of the settings is one that needs no model."""
        self._agent = agent
        self._name = settings.adapter
        self._reports_cost = reports_cost
        self._secrets = secret_values(agent.env if agent else {}, settings.api_key_env)
        at_a_time = settings.max_concurrency or max(FEWEST_AT_A_TIME, os.cpu_count() or 1)
        self._threads = ThreadPoolExecutor(max_workers=at_a_time, thread_name_prefix="trial")
        self._workspaces: Workspaces | None = None

    async def generate(self, request: Request) -> Reply:
        """Run the agent in a container and return its patch."""
        if request.task is None:
            raise ProviderError(
                f"the agent {self._name!r} works on tasks in containers only", kind="no_task", is_fatal=True
            )
        allowed = self._allowed(request.task)
        if allowed is None:
            return await self._run(request, None, "")
        async with EgressProxy(allowed) as proxy:
            direct = ",".join(name for name in OWN_LOOPBACK if not allowed.names_address(name))
            try:
                reply = await self._run(request, proxy.path, direct)
            except ProviderError as error:
                error.egress = self._hidden(proxy.log.as_json())
                raise
            return replace(reply, egress=self._hidden(proxy.log.as_json()))

    async def close(self) -> None:
        """Wait for running trials and start no more."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _run(self, request: Request, proxy: Path | None, direct: str) -> Reply:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, partial(self._trial, request, proxy, direct))

    def _trial(self, request: Request, proxy: Path | None, direct: str) -> Reply:
        task, work = request.task, Work()
        assert task is not None  # noqa: S101  # `generate` has checked it
        try:
            engine = container_engine()
            if self._workspaces is None:
                self._workspaces = Workspaces(engine)
            with ExitStack() as stack:
                agent = self._trial_agent(request, work, stack, proxy, direct)
                answer = run_trial(engine, self._workspaces, task, agent, mounts=self._mounts())
        except SandboxError as error:
            raise ProviderError(str(error), kind="container", may_retry=True) from error
        return Reply(
            text=self._hidden(answer),
            finish_reason=work.finish_reason,
            usage=work.usage,
            cost_nano_usd=self._cost(work),
            latency_us=round(work.seconds * MICROSECONDS),
        )

    def _cost(self, work: Work) -> int | None:
        if self._agent is None:
            return 0
        return work.cost_nano_usd if self._reports_cost else None

    def _trial_agent(
        self, request: Request, work: Work, stack: ExitStack, proxy: Path | None, direct: str
    ) -> TrialAgent:
        agent = self._agent
        if agent is None:
            return _timed(WITHOUT_MODEL[self._name], work)
        env: dict[str, str] = {}

        def act(attempt: Attempt) -> None:
            if proxy is not None and not env:
                env.update(variables(stack.enter_context(relay_into(attempt.container, proxy)), direct))
            self._act(agent, replace(request, prompt=attempt.step.prompt), attempt, work, env)

        return act

    def _act(
        self, agent: Agent, request: Request, attempt: Attempt, work: Work, env: Mapping[str, str]
    ) -> None:
        """Run the agent's command on one step."""
        step, container = attempt.step, attempt.container
        _put_prompts(attempt, agent, request)
        words = filled(agent.words, request, ignored=agent.ignored, folder=PROMPTS)
        result = container.run(
            ContainerCommand(
                argv=(*START, *words),
                user=step.agent_user,
                workdir=attempt.workdir,
                env={**attempt.task.env, "HOME": HOME, **env, **agent.env},
                wall_s=min(step.agent_timeout_s, agent.limits.wall_s),
            )
        )
        work.seconds += result.wall_s
        usage, cost = bill_of(agent, result)
        work.usage, work.cost_nano_usd = _sum_usage(work.usage, usage), _sum(work.cost_nano_usd, cost)
        if result.limit is Limit.WALL:
            work.finish_reason = "timeout"
        elif result.limit is not None:
            work.finish_reason = "limit"
        elif result.exit_code != 0 and not agent.allow_failure:
            output = result.stderr.decoded().strip() or result.stdout.decoded().strip()
            raise ProviderError(
                f"the agent ended with exit code {result.exit_code}: "
                f"{self._hidden(output)[-COMPLAINT_LENGTH:] or 'no output'}",
                kind="agent_failed",
                may_be_billed=True,
            )

    def _mounts(self) -> list[Mount]:
        binds = self._agent.binds if self._agent else ()
        return [Mount(source=bind.source, target=bind.at or bind.source) for bind in binds]

    def _allowed(self, task: Task) -> AllowList | None:
        """Return the hosts that an agent may reach: its own, and those of the task."""
        if self._agent is None:
            return None
        own = self._agent.network
        if own is None or own.ports is None:
            is_open = own is not None or task.network is Network.PUBLIC
            of_task = allow_list(task.allowed_hosts) if task.allowed_hosts else None
            return ANY_PUBLIC if is_open else of_task
        return AllowList({**(allow_list(task.allowed_hosts).ports or {}), **own.ports})

    def _hidden(self, text: str) -> str:
        return without_secrets(text, self._secrets)


class CommandOrTaskProvider:
    """Runs a configured command: on tasks in containers, on other cases in the sandbox."""

    def __init__(self, in_sandbox: CommandProvider, on_tasks: TaskProvider) -> None:
        self._in_sandbox, self._on_tasks = in_sandbox, on_tasks

    async def generate(self, request: Request) -> Reply:
        """Run the agent where the case belongs."""
        provider = self._in_sandbox if request.task is None else self._on_tasks
        return await provider.generate(request)

    async def close(self) -> None:
        """Wait for running agents and start no more."""
        await self._in_sandbox.close()
        await self._on_tasks.close()


def command_provider(settings: ProviderSettings, *, sandbox: Sandbox) -> CommandOrTaskProvider:
    """Return the provider of a configured command."""
    on_tasks = TaskProvider(settings, agent=agent_of(settings))
    return CommandOrTaskProvider(CommandProvider(settings, sandbox=sandbox), on_tasks)


def _put_prompts(attempt: Attempt, agent: Agent, request: Request) -> None:
    """Write the prompts where the agent's command expects them."""
    texts = {PROMPT_FILE: prompt_of(agent.words, request), SYSTEM_PROMPT_FILE: request.system_prompt}
    files = {
        path.replace(PROMPT_FOLDER, PROMPTS[1:]): File(content=text.encode("utf-8", "replace"))
        for path, text in texts.items()
    }
    folders = ("steelyard", PROMPTS[1:])
    attempt.container.put("/", write_archive(files, folders=folders, open_folders=(HOME[1:],)))


def _timed(agent: TrialAgent, work: Work) -> TrialAgent:
    def act(attempt: Attempt) -> None:
        began = time.monotonic()
        agent(attempt)
        work.seconds += time.monotonic() - began

    return act


def _sum_usage(first: Usage, second: Usage) -> Usage:
    """Return the tokens of two steps; a count that both lack stays unknown."""
    names = (item.name for item in fields(Usage))
    return Usage(**{name: _sum(getattr(first, name), getattr(second, name)) for name in names})


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else first + second
