"""Keep worker processes, give each one task at a time, and kill those that outlive a deadline.

A worker that dies fails its task alone; a new one takes its place.
"""

import asyncio
import multiprocessing
import pickle
import socket
from contextlib import suppress
from dataclasses import dataclass, field

from steelyard.service.worker import LENGTH, READY, Result, Task, WorkerSettings, serve_tasks

START_S = 60.0  # for a worker and its sandbox
RESTART_S = 0.5  # pause before a worker that could not start is started again
KILL_GRACE_S = 0.1  # past the deadline; the requests were answered at the deadline


class WorkerLost(Exception):
    """A worker died, or was killed at the deadline, before it finished its task."""


@dataclass(eq=False, slots=True, kw_only=True)
class Job:
    """A task with a deadline on the event loop's clock, and the future of its result."""

    task: Task
    deadline: float
    result: "asyncio.Future[Result]"
    queued_at: float
    started_at: float | None = None


class Worker:
    """One worker process and the connection to it."""

    def __init__(self, settings: WorkerSettings) -> None:
        ours, theirs = socket.socketpair()
        # Forks of a process that has imported everything: they start fast and share its memory.
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([serve_tasks.__module__])
        self.process = context.Process(target=serve_tasks, args=(theirs, settings), daemon=False)
        self.process.start()
        theirs.close()
        self._socket = ours
        self.is_open = False

    async def open(self) -> None:
        """Wait until the worker is ready; raises WorkerLost if it dies first."""
        if self.is_open:
            return
        self._reader, self._writer = await asyncio.open_connection(sock=self._socket, limit=1 << 20)
        async with asyncio.timeout(START_S):
            if await self._receive() != READY:
                raise WorkerLost
        self.is_open = True

    async def perform(self, task: Task) -> Result:
        """Return the result of a task; raises WorkerLost if the worker dies first."""
        message = pickle.dumps(task)
        try:
            self._writer.write(LENGTH.pack(len(message)) + message)
            await self._writer.drain()
        except OSError as error:
            raise WorkerLost from error
        result: Result = pickle.loads(await self._receive())  # noqa: S301  # from our own process
        return result

    async def close(self, *, kill: bool = False) -> None:
        """End the worker and wait until it is gone."""
        with suppress(AttributeError):
            self._writer.close()
        self._socket.close()
        if kill:
            self.process.kill()
        await asyncio.to_thread(self._join)

    def _join(self) -> None:
        self.process.join(timeout=START_S)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()

    async def _receive(self) -> bytes:
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise WorkerLost from error


@dataclass(slots=True)
class WorkerPool:
    """A fixed number of workers and the queue of their jobs; used from one event loop."""

    settings: WorkerSettings
    size: int
    busy: int = 0
    restarts: int = 0
    _queue: "asyncio.Queue[Job]" = field(default_factory=asyncio.Queue)
    _keepers: list["asyncio.Task[None]"] = field(default_factory=list)

    async def start(self) -> None:
        """Start the workers; raises WorkerLost if the first one cannot start."""
        first = Worker(self.settings)
        try:
            await first.open()
        except (WorkerLost, TimeoutError):
            await first.close(kill=True)
            raise
        workers = [first, *(Worker(self.settings) for _ in range(self.size - 1))]
        self._keepers = [asyncio.create_task(self._keep(worker)) for worker in workers]

    async def close(self) -> None:
        """Stop the workers; jobs under way are lost."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    @property
    def queued(self) -> int:
        """The number of jobs that no worker has begun."""
        return self._queue.qsize()

    def put(self, job: Job) -> None:
        """Enqueue a job."""
        self._queue.put_nowait(job)

    async def _keep(self, worker: Worker) -> None:
        """Feed one worker, and replace it whenever it is lost."""
        try:
            while True:
                try:
                    await worker.open()
                    await self._feed(worker)
                except (WorkerLost, TimeoutError):
                    self.restarts += 1
                    await worker.close(kill=True)
                    await asyncio.sleep(0 if worker.is_open else RESTART_S)
                    worker = Worker(self.settings)
        finally:
            await asyncio.shield(worker.close(kill=True))

    async def _feed(self, worker: Worker) -> None:
        """Give a worker one job after the other, until it is lost."""
        loop = asyncio.get_running_loop()
        while True:
            job = await self._queue.get()
            if job.result.done() or loop.time() >= job.deadline:
                job.result.cancel()
                continue
            if not worker.process.is_alive():  # it died idle: another one takes the job
                self._queue.put_nowait(job)
                raise WorkerLost
            self.busy += 1
            job.started_at = loop.time()
            try:
                await self._perform(worker, job)
            finally:
                self.busy -= 1

    async def _perform(self, worker: Worker, job: Job) -> None:
        loop = asyncio.get_running_loop()
        performing = asyncio.ensure_future(worker.perform(job.task))
        try:
            while not performing.done():  # an equal request may have moved the deadline meanwhile
                if loop.time() >= job.deadline + KILL_GRACE_S:
                    raise WorkerLost  # noqa: TRY301  # the same end as that of a worker that died
                await asyncio.wait([performing], timeout=job.deadline + KILL_GRACE_S - loop.time())
            result = performing.result()
            if not job.result.done():
                job.result.set_result(result)
        except WorkerLost as error:
            if not job.result.done():
                job.result.set_exception(error)
            raise
        finally:
            performing.cancel()
