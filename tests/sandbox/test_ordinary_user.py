"""The sandbox as an ordinary user has it: no root, no control groups, one user number only."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

import steelyard

PROGRAM = """
import os, sys
from steelyard.model.execution import Command, Limit, Limits
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox
from steelyard.sandbox.warm.sandbox import WarmPythonSandbox

assert os.geteuid() != 0
cold = BubblewrapSandbox()
main = b"import os, sys; print(os.getuid(), sys.stdin.read()); open('out', 'w').write('kept')"
main += b"; open('d/out', 'w').write('kept')"
moves = b"\\nfor path in ('d', '/box/work'):\\n    try: os.rename(path, path + '.old'); print(path)"
main += moves + b"\\n    except OSError: pass"
files = {"main.py": main, "t": b"t", "d/t": b"t"}
kept = {"out": b"kept", "d/out": b"kept"}
options = {"files": files, "read_only": frozenset({"t", "d/t"}), "stdin": b"in", "keep": tuple(kept)}
warm = WarmPythonSandbox(interpreter="/usr/bin/python3")
for sandbox in (cold, warm):
    result = sandbox.run(Command(argv=("/usr/bin/python3", "-I", "-B", "main.py"), **options))
    assert result.stdout.text == b"1000 in\\n", result
    assert result.files == kept, result
    assert result.cpu_s is not None and result.peak_memory_bytes is not None
    hog = Command(
        argv=("/usr/bin/python3", "-I", "-B", "main.py"),
        files={"main.py": b"x = bytearray(10**9)"},
        limits=Limits(memory_bytes=100_000_000),
    )
    assert b"MemoryError" in sandbox.run(hog).stderr.text
    assert not sandbox.limits_memory
    hidden = Command(
        argv=("/usr/bin/python3", "-I", "-B", "main.py"),
        files={"main.py": b"import os; os.write(os.memfd_create('x'), bytes(10**8))"},
    )
    assert b"Function not implemented" in sandbox.run(hidden).stderr.text
    forks = Command(
        argv=("/usr/bin/python3", "-I", "-B", "main.py"),
        files={"main.py": b"import os, time\\nwhile True:\\n    if not os.fork(): time.sleep(9)"},
        limits=Limits(processes=8),
    )
    assert b"BlockingIOError" in sandbox.run(forks).stderr.text
    loop = Command(argv=("/bin/sh", "-c", "while :; do :; done"), limits=Limits(wall_s=0.2))
    assert sandbox.run(loop).limit is Limit.WALL
warm.close()
cold.close()
print("all well")
"""


AGENT = """
import asyncio, json
from steelyard.model.config import ProviderSettings
from steelyard.model.request import Request
from steelyard.model.sample import SampleKey
from steelyard.providers.command.provider import CommandProvider
from steelyard.sandbox.bubblewrap.sandbox import BubblewrapSandbox

ask = "import urllib.request; urllib.request.urlopen('http://evil.example/')"
command = json.dumps(["/usr/bin/python3", "-I", "-c", ask])
options = {"command": command, "network": "[]", "allow_failure": "true"}
agent = CommandProvider(
    ProviderSettings(name="agent", kind="command", options=options), sandbox=BubblewrapSandbox(groups=False)
)
reply = asyncio.run(agent.generate(Request(key=SampleKey("agent/m", "T0", "s", "c", "d", 0), prompt="")))
assert json.loads(reply.egress)[0]["host"] == "evil.example", reply
asyncio.run(agent.close())
print("all well")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="whoever is no root has seen all of this in the other tests")
@pytest.mark.parametrize("program", [PROGRAM, AGENT], ids=["commands", "an agent with a proxy"])
def test_everything_works_without_root(program: str) -> None:
    package = Path(steelyard.__file__).parent
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # Not below pytest's own folder, which is closed to other users.
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cp", "-r", str(package), f"{folder}/steelyard"], check=True)
        subprocess.run(["chmod", "-R", "o+rX", folder], check=True)
        done = subprocess.run(
            [*nobody, "/usr/bin/python3", "-W", "error", "-c", program],
            env={"PYTHONPATH": folder, "PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )

    assert done.stdout == "all well\n", done.stderr
