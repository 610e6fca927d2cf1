"""Start a private Slurm with several nodes on this machine, and kill its nodes.

Its own munge key, sockets, ports and folders: a Slurm that is installed here otherwise is not touched. Each
node is a `slurmd` in a PID namespace of its own, so killing it kills all that it started, as a power failure
would; hence root is needed.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

NODES = ("n1", "n2", "n3", "n4")
NEEDED = ("slurmctld", "slurmd", "sbatch", "munged", "unshare", "setpriv")
WITH_US = ("setpriv", "--pdeathsig", "KILL")  # so that nothing outlives this process, however that ends
PATIENCE_S = 1800.0

# `cred_expire` is also how long a requeued job waits; five seconds are the least that Slurm takes. Nodes
# claim more processors and memory than there are, so that each takes several tasks of the examples.
CONFIGURATION = """
ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
SwitchType=switch/none
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MinJobAge=60000
ReturnToService=2
SlurmdTimeout=6
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
{nodes}
PartitionName=all Nodes={names} Default=YES MaxTime=INFINITE State=UP LLN=YES
"""
NODE = "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=32 RealMemory=128000"

# Nodes share the control groups of this machine but not the numbers of processes, which Steelyard names its
# groups by. So a node hides the groups that limit memory: ordinary users of a cluster may not write them.
MEMORY_GROUPS = Path("/sys/fs/cgroup/memory")
START_NODE = """
if [ -d {groups} ]; then mount -t tmpfs none {groups}; fi
exec slurmd -D -N {name} -f {conf}
"""


class SlurmError(Exception):
    """A part of Slurm does not start, or a command of it has failed."""


class Task(NamedTuple):
    """A task of an array, or a job of its own (0), as the controller sees it."""

    job: str
    number: int
    state: str  # PENDING, RUNNING, COMPLETED, CANCELLED …
    node: str


def missing() -> str:
    """Return what keeps Slurm from starting here, and the remedy; "" if nothing does."""
    if absent := [name for name in NEEDED if shutil.which(name) is None]:
        return f"{', '.join(absent)}: not installed; `apt-get install slurm-wlm munge util-linux`"
    return "" if os.geteuid() == 0 else "a private Slurm needs root: its nodes are namespaces"


@contextmanager
def slurm(folder: Path) -> Iterator["Cluster"]:
    """Start munge, the controller and the nodes in a new folder; all of them are gone afterwards."""
    for part in ("munge", "state", *(f"spool/{name}" for name in NODES)):
        (folder / part).mkdir(parents=True)
    key = folder / "munge/key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(128))
    conf = _configured(folder)
    with ExitStack() as stack:
        words = [f"--{name}-file={folder}/munge/{name}" for name in ("key", "pid", "log", "seed")]
        words += ["--foreground", "--force"]  # it dislikes a folder that only root can open
        munged = stack.enter_context(_service("munged", f"--socket={folder}/munge/socket", *words))
        wait(lambda: (folder / "munge/socket").exists() or munged.poll() is not None, "munged does not start")
        if munged.returncode is not None:
            raise SlurmError("munged does not start")
        stack.enter_context(_service("slurmctld", "-D", "-f", str(conf)))
        cluster = Cluster(conf)
        stack.callback(cluster.stop)
        cluster.start()
        yield cluster


class Cluster:
    """Commands to the private Slurm, and the power switch of its nodes."""

    def __init__(self, conf: Path) -> None:
        self._conf = conf
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}

    def command(self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
        """Run a command of Slurm, or a script that does; return what it prints."""
        given = {**os.environ, "SLURM_CONF": str(self._conf), **(env or {})}
        done = subprocess.run(words, cwd=cwd, env=given, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SlurmError(f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def tasks(self, job: str) -> list[Task]:
        """Return the tasks of a job, each as it is now."""
        lines = self.command("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%F %K %T %N").splitlines()
        split = (line.split(" ") for line in lines)
        return [
            Task(job, int(number) if number.isdigit() else 0, state, node) for _, number, state, node in split
        ]

    def start(self) -> None:
        """Start every node that is not running, and wait until the controller can use them all."""
        for name in NODES:
            if name not in self._nodes:
                self.start_node(name)
        wait(lambda: self._usable() == set(NODES), "some nodes have not come up")

    def start_node(self, name: str) -> None:
        """Switch a node on."""
        assert name not in self._nodes
        script = START_NODE.format(name=name, conf=self._conf, groups=MEMORY_GROUPS)
        words = [*WITH_US, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script]
        self._nodes[name] = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill_node(self, name: str) -> None:
        """Kill a node with everything that runs on it, at once; return when nothing of it is left."""
        outside = self._nodes.pop(name)
        # The first process of a PID namespace takes all others with it, and ends as the last of them.
        children = Path(f"/proc/{outside.pid}/task/{outside.pid}/children")
        wait(lambda: bool(children.read_text(encoding="ascii")) or outside.poll() is not None, "no node")
        for pid in children.read_text(encoding="ascii").split():
            os.kill(int(pid), signal.SIGKILL)
        outside.wait(PATIENCE_S)

    def stop(self) -> None:
        """Kill every node."""
        for name in tuple(self._nodes):
            self.kill_node(name)

    def _usable(self) -> set[str]:
        for name, process in self._nodes.items():
            if process.poll() is not None:
                said = self._conf.with_name(f"{name}.log").read_text(encoding="utf-8")
                raise SlurmError(f"{name} does not start: {said}")
        try:
            lines = self.command("sinfo", "-h", "-N", "-o", "%N %t").splitlines()
        except SlurmError:  # the controller is not up yet
            return set()
        states = dict(line.split() for line in lines)
        return {name for name, state in states.items() if state in {"idle", "mix", "alloc"}}


def wait(is_so: Callable[[], bool], otherwise: str, *, look_s: float = 0.3) -> None:
    """Wait until something is so; fail if that takes far too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, otherwise
        time.sleep(look_s)


def _configured(folder: Path) -> Path:
    host = socket.gethostname().partition(".")[0]
    controller, *ports = _free_ports(1 + len(NODES))
    nodes = "\n".join(
        NODE.format(name=name, host=host, port=port) for name, port in zip(NODES, ports, strict=True)
    )
    text = CONFIGURATION.format(host=host, port=controller, folder=folder, nodes=nodes, names=",".join(NODES))
    (folder / "slurm.conf").write_text(text, encoding="utf-8")
    return folder / "slurm.conf"


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextmanager
def _service(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [*WITH_US, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()
