"""Every sandbox: nothing is left behind, whatever the command did, and however many there were."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from steelyard.model.execution import MIB, Limits
from steelyard.ports import Sandbox
from steelyard.sandbox.cgroups.find import find_cgroups
from steelyard.sandbox.process import ProcessSandbox
from tests.patience import wait_until
from tests.sandbox.backends import ISOLATING, script
from tests.sandbox.conftest import skip_without_rights
from tests.sandbox.traces import Traces, descendants, is_running, left_since, traces

REPOSITORY = Path(__file__).parents[3]
SOONER_S = 100  # those who sleep would sleep much longer
LEAVERS = {
    "a daemon": """
import os, time
if not os.fork():
    os.setsid()
    if not os.fork(): time.sleep(600)
os._exit(0)
""",
    "a child holding the pipes": "import os, time\nif not os.fork(): time.sleep(600)",
    "a child that ignores every signal": """
import os, signal, time
if not os.fork():
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    while True: time.sleep(1)
""",
    "a stopped child": "import os, signal\nif not os.fork(): os.kill(os.getpid(), signal.SIGSTOP)",
    "a thread": "import os, threading, time\nthreading.Thread(target=time.sleep, args=[600]).start()",
    "big files": "for n in range(20): open(f'f{n}', 'wb').write(bytes(1_000_000))",
    "a deep folder": "import os\nfor n in range(300): os.mkdir('d'); os.chdir('d')",
    "files nobody may read": "import os\nopen('x', 'w').close(); os.chmod('x', 0); os.mkdir('d', 0)",
    "an endless loop": "while True: pass",
    "a fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "a crash": "import os; os.abort()",
    "too much memory": "x = bytearray(300_000_000)",
}
STEELYARD = """
import sys
from steelyard.model.execution import Bind, Limits
from tests.sandbox.backends import ISOLATING, script
name, pipe = sys.argv[1:]
nap = "import time; open('pipe').read(); time.sleep(1000)"
ISOLATING[name]().run(script(nap, binds=[Bind(source=pipe, at="pipe")], limits=Limits(wall_s=1000)))
"""


@pytest.fixture
def left(request: pytest.FixtureRequest) -> Callable[[], Traces]:
    """Count what is left; a plain process may orphan zombies that nobody can tell from other children."""
    return lambda: traces(zombies="process" not in request.node.name)


@pytest.mark.parametrize("what", LEAVERS)
def test_nothing_is_left_of(any_sandbox: Sandbox, left: Callable[[], Traces], what: str) -> None:
    if isinstance(any_sandbox, ProcessSandbox) and what == "a daemon" and find_cgroups() is None:
        pytest.skip("only a control group finds the daemon of a plain process")
    any_sandbox.run(script("pass"))
    before = left()

    result = any_sandbox.run(
        script(LEAVERS[what], limits=Limits(wall_s=0.5, processes=30, memory_bytes=128 * MIB))
    )

    assert left_since(before, left) == {}
    assert result.wall_s < SOONER_S


def test_nothing_is_left_after_many_commands_at_a_time(
    any_sandbox: Sandbox, left: Callable[[], Traces], many: int
) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(any_sandbox.run, [script("pass")] * 8))
    before = left()

    sources = [LEAVERS["a daemon"], "print(1)", "import os; os.abort()", "raise SystemExit(3)"]
    commands = [script(sources[n % len(sources)], limits=Limits(wall_s=100)) for n in range(many)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(any_sandbox.run, commands))

    assert [(result.exit_code, result.signal) for result in results] == [
        (0, None),
        (0, None),
        (None, 6),
        (3, None),
    ] * (many // len(sources))
    assert left_since(before, left) == {}


def test_results_do_not_get_mixed_up(any_sandbox: Sandbox, many: int) -> None:
    def answer(number: int) -> bytes:
        return any_sandbox.run(script("print(open('n').read())", files={"n": b"%d" % number})).stdout.text

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(answer, range(many)))

    assert answers == [b"%d\n" % number for number in range(many)]


def test_a_closed_sandbox_leaves_nothing(make_any: Callable[[], Sandbox]) -> None:
    gc.collect()
    before = traces(groups=True)

    sandbox = make_any()
    sandbox.run(script("pass"))
    sandbox.close()  # type: ignore[attr-defined]  # every one of ours can be closed

    assert left_since(before, lambda: traces(groups=True)) == {}


@pytest.mark.parametrize("name", [name for name in ISOLATING if name != "warm"])  # cold for what has a bind
def test_nothing_outlives_a_steelyard_that_is_killed(name: str, tmp_path: Path) -> None:
    skip_without_rights(name)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o644)
    with subprocess.Popen([sys.executable, "-c", STEELYARD, name, str(pipe)], cwd=REPOSITORY) as steelyard:
        try:
            wait_until(lambda: is_read(pipe), patience_s=120)
            started = descendants(steelyard.pid)
        finally:
            steelyard.kill()

    wait_until(lambda: not any(is_running(pid) for pid in started))


def is_read(pipe: Path) -> bool:
    """Whether a command has opened a named pipe for reading."""
    try:
        os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return True
