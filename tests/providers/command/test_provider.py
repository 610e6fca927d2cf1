"""Agents by their command line: what they get, what becomes of what they leave, and whose fault an end is."""

import asyncio
import re
import resource
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.checks.extraction.extract import extract
from steelyard.errors import ProviderError, SandboxError
from steelyard.model.execution import Command, ExecResult
from steelyard.model.request import Parameters, Reply, Usage
from steelyard.providers.command.provider import CommandProvider
from steelyard.providers.command.usage import bill_by_pattern
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.process import ProcessSandbox
from tests.providers.agents import generated, ran, request_for, settings_for

CODE = "def add(a, b):\n    return a + b\n"


def failure(source: str) -> ProviderError:
    with pytest.raises(ProviderError) as raised:
        ran(source)
    return raised.value


def test_an_agent_gets_the_prompt_on_its_input_and_in_a_file_and_its_model_by_name() -> None:
    source = "import sys; print(sys.stdin.read(), open(sys.argv[2]).read(), sys.argv[1], sep='|', end='')"

    reply = ran(source, "--model={model}", "{prompt_file}", asked=request_for("Say “hi”."))

    assert reply.text == "Say “hi”.|Say “hi”.|--model=opus/4"
    assert reply.finish_reason == "stop"
    assert reply.latency_us is not None
    assert 0 < reply.latency_us < 20_000_000
    assert (reply.usage, reply.cost_nano_usd) == (Usage(), None)


def test_a_prompt_as_an_argument_stays_one_argument_whatever_it_holds() -> None:
    prompt = "$(id) `id` ; {model} 'x' \"y\"\n--help"

    assert (
        ran("import sys; print(sys.argv[1:])", "{prompt}", asked=request_for(prompt)).text == f"{[prompt]}\n"
    )


def test_the_files_of_the_case_and_of_the_tier_lie_in_its_folder() -> None:
    source = "print(open('src/lib.rs').read(), open('NOTES.md').read())"

    assert ran(source, asked=request_for(files={"src/lib.rs": "mod a;"})).text == "mod a; Be kind.\n"


def test_its_home_is_a_folder_of_its_own_that_can_be_written() -> None:
    source = """
import os
open(os.path.expanduser("~/settings"), "w").write("x")
print(os.path.relpath(os.environ["HOME"]), sorted(os.listdir()))
"""
    assert ran(source).text == ".home ['.home', '.steelyard', 'NOTES.md']\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [((), "Be brief.\n\nAdd."), (("{system_prompt_file}",), "Add.|Be brief.")],
    ids=["in front of the prompt", "in a file of its own"],
)
def test_the_system_prompt_is_told_once(arguments: tuple[str, ...], text: str) -> None:
    source = (
        "import sys; print(sys.stdin.read(), *(open(path).read() for path in sys.argv[1:]), sep='|', end='')"
    )
    request = request_for("Add.", system_prompt="Be brief.")

    assert ran(source, *arguments, asked=request).text == text


def test_sampling_parameters_are_told_in_braces() -> None:
    given = Parameters(temperature=0.8, seed=7, max_tokens=100)
    words = ("{temperature}", "{seed}", "{max_tokens}", "{{seed}}")

    assert ran("import sys; print(*sys.argv[1:])", *words, asked=request_for(parameters=given)).text == (
        "0.8 7 100 {seed}\n"
    )


def test_a_parameter_that_has_no_place_is_refused_and_not_dropped() -> None:
    request = request_for(parameters=Parameters(temperature=0.8))

    with pytest.raises(ProviderError, match=r"temperature.*ignore") as raised:
        ran("", asked=request)
    with pytest.raises(ProviderError, match=r"seed.*run"):
        ran("", "{seed}", "{temperature}", asked=request)

    assert (raised.value.kind, raised.value.may_retry, raised.value.is_fatal) == ("rejected", False, False)
    assert ran("print(1)", asked=request, ignore="temperature").text == "1\n"


def test_a_prompt_that_is_too_long_for_an_argument_is_refused_and_fits_the_input() -> None:
    request = request_for("é" * 70_000)

    with pytest.raises(ProviderError, match="argument"):
        ran("", "{prompt}", asked=request)
    assert ran("import sys; print(len(sys.stdin.read()))", asked=request).text == "70000\n"


def test_the_answer_may_lie_in_a_file() -> None:
    source = "print('thinking'); open('out.md', 'w').write('the answer')"

    assert ran(source, answer="out.md").text == "the answer"


@pytest.mark.parametrize("source", ["print('no file')", "import os; os.symlink('/etc/passwd', 'out.md')"])
def test_an_answer_that_is_not_there_or_no_plain_file_is_empty(source: str) -> None:
    assert not ran(source, answer="out.md").text


def test_new_and_changed_files_are_the_answer_and_the_extraction_reads_them() -> None:
    source = f"""
import os, pathlib
pathlib.Path("src/deep").mkdir(parents=True, exist_ok=True)
pathlib.Path("src/add.py").write_text({CODE!r})
pathlib.Path("src/deep/new.py").write_text("x = 1")
pathlib.Path("README.md").write_text("# Title\\n\\n```python\\nwrong = 1\\n```\\n````\\n")
pathlib.Path("data.bin").write_bytes(bytes(range(256)))
pathlib.Path("odd name.py").write_text("odd")
pathlib.Path("target").mkdir(); pathlib.Path("target/left.py").write_text("left = 1")
os.symlink("/etc/passwd", "passwd.py")
print("```python\\nprinted = 1\\n```")
"""
    files = {"src/add.py": "def add(): ...\n", "src/same.py": "same = 1\n"}

    reply = ran(source, asked=request_for(files=files), files="*")
    found = extract(reply.text, "python", files=files)

    assert dict(found.files) == {
        "README.md": "# Title\n\n```python\nwrong = 1\n```\n````\n",
        "src/add.py": CODE,
        "src/deep/new.py": "x = 1\n",
    }


def test_only_files_that_match_are_the_answer() -> None:
    source = (
        "open('a.py', 'w').write('a = 1'); open('b.py', 'w').write('b = 1'); open('c.txt', 'w').write('c')"
    )

    assert ran(source, files='["*.py", "!b.py"]').text == "```a.py\na = 1\n```\n"


def test_an_agent_that_changed_nothing_has_given_an_empty_answer() -> None:
    assert not ran("open('NOTES.md', 'w').write('Be kind.')", files="*").text


def test_usage_is_read_from_a_file() -> None:
    source = """
import json
read = {"cache_read_input_tokens": 7, "cache_creation_input_tokens": 3}
usage = {"input_tokens": 10, "output_tokens": 5, **read}
json.dump({"total_cost_usd": 0.0123, "usage": usage}, open("usage.json", "w"))
"""
    reply = ran(source, usage_file="usage.json", files="*")

    assert reply.usage == Usage(tokens_in=20, tokens_out=5, tokens_cached=7, tokens_cache_written=3)
    assert (reply.cost_nano_usd, reply.text) == (12_300_000, "")


def test_usage_is_read_from_what_was_printed() -> None:
    printed = "print('working'); print('{\"cost_usd\": 0.5, \"tokens_in\": 3}')"
    pattern = r"Tokens: (?P<tokens_in>[\d,]+) in, (?P<tokens_out>\d+) out; \$(?P<cost_usd>[\d.]+)"
    complained = (
        "import sys; print('Tokens: 1 in, 1 out; $1\\nTokens: 1,200 in, 30 out; $0.07', file=sys.stderr)"
    )

    assert (ran(printed, usage_file="-").usage.tokens_in, ran(printed, usage_file="-").cost_nano_usd) == (
        3,
        500_000_000,
    )
    reply = ran(complained, usage_pattern=pattern)
    assert (reply.usage, reply.cost_nano_usd) == (Usage(tokens_in=1200, tokens_out=30), 70_000_000)


@pytest.mark.parametrize("printed", ["nothing of the kind", "in: ?.?", "in: 9" + "9" * 400])
def test_usage_that_no_pattern_finds_is_unknown(printed: str) -> None:
    reply = ran(f"print({printed!r})", usage_pattern=r"in: (?P<tokens_in>[\d.?]+)")

    assert reply.usage == Usage()


def test_an_agent_that_prints_much_holds_nothing_up_by_its_pattern() -> None:
    began = time.process_time()
    bill_by_pattern(re.compile(r"(?P<input_tokens>[\d,]+) in"), "9" * 1_000_000)

    assert time.process_time() - began < 5


def test_an_agent_that_fails_is_an_error_of_ours_and_may_have_cost_something() -> None:
    error = failure("import sys; print('half an answer'); sys.exit('the service is down')")

    assert str(error) == "the agent ended with exit code 1: the service is down"
    assert (error.kind, error.may_retry, error.is_fatal, error.may_be_billed) == (
        "agent_failed",
        False,
        False,
        True,
    )


def test_an_agent_that_says_try_again_is_tried_again() -> None:
    assert failure("import sys; sys.exit(75)").may_retry
    assert str(failure("import sys; sys.exit(75)")).endswith("exit code 75: no output")


def test_an_agent_that_is_killed_by_itself_has_failed() -> None:
    error = failure("import os; os.kill(os.getpid(), 11)")

    assert (error.kind, "signal 11" in str(error)) == ("agent_failed", True)


def test_an_agent_that_may_fail_has_answered() -> None:
    reply = ran("print('half'); raise SystemExit(3)", allow_failure="true")

    assert (reply.text, reply.finish_reason) == ("half\n", "error")


def out_of_time(source: str, **options: str) -> Reply:
    """Return the reply of an agent that never ends; a busy machine needs longer to start it."""
    settings, timeout_s = settings_for(source, **options), 1.5
    while not (reply := generated(replace(settings, timeout_s=timeout_s), request_for())).text:
        timeout_s *= 4
    return reply


def test_an_agent_that_runs_out_of_time_has_answered_with_what_there_is() -> None:
    source = "import time; open('a.py', 'w').write('a = 1'); print('half', flush=True); time.sleep(600)"

    files, printed = out_of_time(source, files="*.py"), out_of_time(source)

    assert (files.text, files.finish_reason) == ("```a.py\na = 1\n```\n", "timeout")
    assert (printed.text, printed.finish_reason) == ("half\n", "timeout")


def test_an_agent_that_reaches_another_limit_has_answered_too() -> None:
    reply = ran("print('half', flush=True); x = bytearray(600 << 20); print(len(x))", memory_mib="64")

    assert (reply.text, reply.finish_reason) == ("half\n", "limit")


@pytest.mark.parametrize("allowed", ["true", "false"])
def test_an_agent_that_is_not_installed_is_said_to_be_missing(allowed: str) -> None:
    settings = settings_for("", command="no-such-agent --x", allow_failure=allowed)

    with pytest.raises(ProviderError, match=r"no-such-agent.*'binds'") as raised:
        generated(settings, request_for())
    assert raised.value.kind == "agent_missing"


@pytest.mark.parametrize(
    "first_line", ["#!/opt/none/python", "#!/usr/bin/env no-such-python", "#!/usr/bin/env -S A=1 none -x"]
)
def test_an_agent_whose_interpreter_is_not_installed_is_said_to_be_missing(
    tmp_path: Path, first_line: str
) -> None:
    agent = tmp_path / "agent"
    agent.write_text(f"{first_line}\n", encoding="utf-8")
    for path in (tmp_path, agent):
        path.chmod(0o755)
    settings = settings_for("", command=str(agent), binds=str(tmp_path), allow_failure="true")

    with pytest.raises(ProviderError) as raised:
        generated(settings, request_for())
    assert raised.value.kind == "agent_missing"


class BrokenSandbox:
    def run(self, command: Command) -> ExecResult:
        raise SandboxError("no room")


def test_a_sandbox_that_breaks_is_an_error_that_may_pass() -> None:
    with pytest.raises(ProviderError, match="no room") as raised:
        generated(settings_for(""), request_for(), BrokenSandbox())

    assert (raised.value.kind, raised.value.may_retry) == ("sandbox", True)


def test_as_many_agents_run_at_a_time_as_are_allowed() -> None:
    class Counting:
        def __init__(self) -> None:
            self.now, self.most, self.lock = 0, 0, threading.Lock()
            self.all_at_work = threading.Barrier(3, timeout=60)

        def run(self, command: Command) -> ExecResult:
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            self.all_at_work.wait()
            time.sleep(0.02)  # a fourth could begin meanwhile
            with self.lock:
                self.now -= 1
            return ExecResult(exit_code=0)

    sandbox = Counting()
    settings = replace(settings_for(""), max_concurrency=3)

    async def many() -> None:
        provider = CommandProvider(settings, sandbox=sandbox)
        await asyncio.gather(*(provider.generate(request_for(attempt=n)) for n in range(30)))
        await provider.close()

    asyncio.run(many())

    assert sandbox.most == 3


def test_the_event_loop_goes_on_while_agents_run() -> None:
    async def both() -> int:
        provider = CommandProvider(settings_for("import time; time.sleep(0.5)"), sandbox=BubblewrapSandbox())
        generating = asyncio.create_task(provider.generate(request_for()))
        beats = 0
        while not generating.done():
            await asyncio.sleep(0.01)
            beats += 1
        await generating
        await provider.close()
        return beats

    assert asyncio.run(both()) > 5


def test_without_a_sandbox_the_same_agent_does_the_same() -> None:
    source = "import os; print(os.path.basename(os.environ['HOME']), open('NOTES.md').read())"

    assert (
        generated(settings_for(source), request_for(), ProcessSandbox(allow_unsafe=True)).text
        == ".home Be kind.\n"
    )


def test_an_agent_with_a_network_gets_room_for_its_connections() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, hard), hard))
    try:
        CommandProvider(settings_for("true", network='["example.com"]'), sandbox=BubblewrapSandbox())

        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
