"""Run an agent's command line in a sandbox with the case's files, and collect its answer.

The agent sees the prompt, the case's files and the user's binds, never the tests or the reference.
"""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from steelyard.errors import ProviderError, SandboxError
from steelyard.model.config import ProviderSettings
from steelyard.model.execution import Command, ExecResult, Limit
from steelyard.model.request import Reply, Request, Usage
from steelyard.model.units import MICROSECONDS
from steelyard.ports import Sandbox
from steelyard.providers.command.answer import HOME, answer_of, patterns_of
from steelyard.providers.command.egress.allow_list import AllowList
from steelyard.providers.command.egress.inside import with_proxy
from steelyard.providers.command.egress.log import EgressLog
from steelyard.providers.command.egress.proxy import EgressProxy
from steelyard.providers.command.metered import with_gateway, with_metered_cost
from steelyard.providers.command.options import Agent, agent_of
from steelyard.providers.command.presence import is_missing, look_for
from steelyard.providers.command.usage import Bill, bill_by_pattern, bill_in_json
from steelyard.providers.command.words import PROMPT_FILE, SYSTEM_PROMPT_FILE, filled, prompt_of
from steelyard.providers.open_files import allow_many_open_files
from steelyard.providers.secrets import secret_values, without_secrets

if TYPE_CHECKING:
    from steelyard.providers.gateway.server import Gateway

# The agent's home is a folder in its workspace, at any path.
START = ("/bin/sh", "-c", f'HOME="$PWD/{HOME}" exec "$@"', "sh")
FEWEST_AT_A_TIME = 4  # agents mostly wait for their model
NOT_FOUND = 127  # a shell's exit code for a missing program; agents may use it too
TRY_AGAIN = 75  # EX_TEMPFAIL of sysexits.h
COMPLAINT_LENGTH = 500
SHOWN_HOSTS = 5
TOO_LATE = frozenset({Limit.WALL, Limit.CPU})


class CommandProvider:
    """Runs the agent once for each request, a bounded number at a time.

    At a limit, the files written so far are the answer. An agent that exits with an error has no answer,
    which is an infrastructure error unless configured otherwise.
    """

    def __init__(
        self,
        settings: ProviderSettings,
        *,
        sandbox: Sandbox,
        make_proxy: Callable[[AllowList], EgressProxy] = EgressProxy,
        make_gateway: "Callable[[Request], Gateway] | None" = None,
    ) -> None:
        """With `make_gateway`, each agent reaches its model through a gateway of its own."""
        self._agent = agent_of(settings)
        self._make_gateway = make_gateway
        if self._agent.network is not None or make_gateway is not None:
            allow_many_open_files()  # each connection of an agent needs two files
        self._make_proxy = make_proxy
        self._sandbox = sandbox
        self._secrets = secret_values(self._agent.env, settings.api_key_env)
        at_a_time = settings.max_concurrency or max(FEWEST_AT_A_TIME, os.cpu_count() or 1)
        self._threads = ThreadPoolExecutor(max_workers=at_a_time, thread_name_prefix="agent")

    async def generate(self, request: Request) -> Reply:
        """Run the agent and return its answer."""
        if self._make_gateway is None:
            return await self._generate(self._agent, request)
        async with self._make_gateway(request) as gateway:
            reply = await self._generate(with_gateway(self._agent, gateway), request)
        return with_metered_cost(reply, gateway)  # after its end: calls in flight are recorded by then

    async def _generate(self, agent: Agent, request: Request) -> Reply:
        command = command_of(agent, request)
        result, log = await self._result(command, agent.network)
        if result.exit_code == NOT_FOUND and result.limit is None:
            await self._refuse_missing(command, result, log)
        self._refuse_failure(result, log)
        usage, cost_nano_usd = bill_of(self._agent, result)
        return Reply(
            text=self._hidden(answer_of(self._agent, result)),
            finish_reason=_finish_reason(result),
            usage=usage,
            cost_nano_usd=cost_nano_usd,
            latency_us=round(result.wall_s * MICROSECONDS),
            egress=self._egress(log),
        )

    async def close(self) -> None:
        """Wait for running agents and start no more."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)

    async def _result(
        self, command: Command, network: AllowList | None
    ) -> tuple[ExecResult, EgressLog | None]:
        """Run the agent, with a proxy if it has network access."""
        loop = asyncio.get_running_loop()
        if network is None:
            return await loop.run_in_executor(self._threads, partial(self._run, command)), None
        async with self._make_proxy(network) as proxy:
            connected = with_proxy(command, proxy.path, network)
            try:
                result = await loop.run_in_executor(self._threads, partial(self._run, connected))
            except ProviderError as error:
                error.egress = self._egress(proxy.log)
                raise
        return result, proxy.log

    def _run(self, command: Command) -> ExecResult:
        try:
            return self._sandbox.run(command)
        except SandboxError as error:
            raise ProviderError(str(error), kind="sandbox", may_retry=True) from error

    async def _refuse_missing(self, command: Command, result: ExecResult, log: EgressLog | None) -> None:
        """Raise if the agent's program is missing; an existing one may exit with 127 itself."""
        look = look_for(command.argv[len(START)], command)
        loop = asyncio.get_running_loop()
        if is_missing(await loop.run_in_executor(self._threads, partial(self._run, look))):
            text = self._output(result)[-COMPLAINT_LENGTH:]
            message = f"exit code {NOT_FOUND}: {text}; is the agent's folder among its 'binds'?"
            raise ProviderError(message, kind="agent_missing", egress=self._egress(log))

    def _refuse_failure(self, result: ExecResult, log: EgressLog | None) -> None:
        """Raise if the agent exited with an error, unless it reached a limit."""
        if result.exit_code == 0 or result.limit is not None or self._agent.allow_failure:
            return
        how = f"exit code {result.exit_code}" if result.signal is None else f"signal {result.signal}"
        raise ProviderError(
            f"the agent ended with {how}: {self._output(result)[-COMPLAINT_LENGTH:] or 'no output'}"
            f"{self._hidden(_refused_hosts(log))}",
            kind="agent_failed",
            may_retry=result.exit_code == TRY_AGAIN,
            may_be_billed=True,
            egress=self._egress(log),
        )

    def _output(self, result: ExecResult) -> str:
        return self._hidden(result.stderr.decoded().strip() or result.stdout.decoded().strip())

    def _egress(self, log: EgressLog | None) -> str | None:
        return None if log is None else self._hidden(log.as_json())

    def _hidden(self, text: str) -> str:
        """Remove the keys passed to the agent from a text."""
        return without_secrets(text, self._secrets)


def command_of(agent: Agent, request: Request) -> Command:
    """Return the sandbox command of a request."""
    prompt = prompt_of(agent.words, request).encode("utf-8", "replace")
    texts = {**request.context, **request.files}
    ours = {PROMPT_FILE: prompt, f"{HOME}/.hushlogin": b""}  # so that the folder is there
    if request.system_prompt:
        ours[SYSTEM_PROMPT_FILE] = request.system_prompt.encode("utf-8", "replace")
    named = (agent.answer, None if agent.usage_file == "-" else agent.usage_file)
    return Command(
        argv=(*START, *filled(agent.words, request, ignored=agent.ignored)),
        files={**{path: text.encode("utf-8", "replace") for path, text in texts.items()}, **ours},
        binds=agent.binds,
        env=agent.env,
        stdin=prompt,
        keep=tuple(path for path in named if path),
        keep_matching=patterns_of(agent),
        limits=agent.limits,
    )


def bill_of(agent: Agent, result: ExecResult) -> Bill:
    """Return the usage and cost that the agent reports."""
    printed = result.stdout.decoded()
    if agent.usage_file == "-":
        return bill_in_json(printed)
    if agent.usage_file is not None:
        return bill_in_json(result.files.get(agent.usage_file, b"").decode("utf-8", "replace"))
    if agent.usage_pattern is not None:
        return bill_by_pattern(agent.usage_pattern, printed, result.stderr.decoded())
    return Usage(), None


def _refused_hosts(log: EgressLog | None) -> str:
    """Return the first refused hosts, a possible cause of the failure."""
    refused = log.refused[:SHOWN_HOSTS] if log else []
    return f"; hosts not reached: {', '.join(refused)}" if refused else ""


def _finish_reason(result: ExecResult) -> str:
    if result.exit_code == 0:
        return "stop"
    if result.limit is None:
        return "error"
    return "timeout" if result.limit in TOO_LATE else "limit"
