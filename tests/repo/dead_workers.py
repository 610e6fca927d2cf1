"""End a distributed test run as failed when one of its workers dies, and name the test that it ran.

pytest-xdist alone waits forever when the last worker with work dies, and overlooks the death of a worker
while a process that it forked keeps the pipe open. A run without workers is not changed.
"""

import os
import threading
from typing import NoReturn

import execnet
import pytest
from xdist.workermanage import NodeManager, WorkerController

POLL_SECONDS = 0.5
DEATH = (
    2  # as when a run is interrupted: `make test` tries tests that failed (1) once more, but not such a run
)


class DeadWorkers:
    """Watches the workers of one run, in the process that distributes the tests."""

    def __init__(self) -> None:
        self._live: list[WorkerController] = []
        self._dead: WorkerController | None = None
        self._crashed_in: str | None = None
        self._unfinished: list[str] = []
        self._over = threading.Event()

    def start(self) -> None:
        """Look after the processes from now on, besides the pipes that xdist listens to."""
        threading.Thread(target=self._watch, daemon=True).start()

    def pytest_sessionfinish(self) -> None:
        self._over.set()

    def pytest_testnodeready(self, node: WorkerController) -> None:
        self._live.append(node)

    def pytest_testnodedown(self, node: WorkerController, error: object) -> None:
        self._live = [other for other in self._live if other is not node]
        self._dead = node if error else None

    def pytest_handlecrashitem(self, crashitem: str) -> None:
        self._crashed_in = crashitem

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self) -> None:
        if self._crashed_in:  # xdist has just reported this test as failed
            self._end_run(f"while running {self._crashed_in}")

    def pytest_xdist_newgateway(self, gateway: execnet.Gateway) -> None:
        if self._dead:  # xdist starts a replacement: the worker died, and in no test
            self._end_run("between two tests, or after its last")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._unfinished.append(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._unfinished.remove(nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for nodeid in self._unfinished:  # a run that was ended from outside says here where it hung
            terminalreporter.write_line(f"NOT FINISHED {nodeid}")

    def _end_run(self, when: str) -> NoReturn:
        assert self._dead is not None
        NodeManager.EXIT_TIMEOUT = 1  # the other workers have nothing to say that would save the run
        pytest.exit(f"worker {self._dead.gateway.id} died {when}", returncode=DEATH)

    def _watch(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            for node in self._live:
                if has_ended(node.gateway._rinfo().pid):
                    node.notify_inproc("errordown", node=node, error="its process has ended")
                    return


def has_ended(child: int) -> bool:
    """Whether a child process is over; its exit status stays there for the parent."""
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch the workers of this run, if it has some; they are not started yet."""
    if session.config.pluginmanager.hasplugin("dsession"):
        dead_workers = DeadWorkers()
        session.config.pluginmanager.register(dead_workers)
        dead_workers.start()
