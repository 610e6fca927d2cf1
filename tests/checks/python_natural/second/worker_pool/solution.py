import queue
import threading


class WorkerPool:
    def __init__(self, size):
        self._queue = queue.Queue()
        self._results = {}
        self._submitted = 0
        self._closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{number}", daemon=True) for number in range(size)
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exc_info):
        self._closed = True
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self):
        while (job := self._queue.get()) is not None:
            number, function, args = job
            try:
                self._results[number] = function(*args)
            except Exception as error:
                self._results[number] = error
            finally:
                self._queue.task_done()

    def submit(self, function, *args):
        if self._closed:
            raise RuntimeError("the pool is closed")
        self._queue.put((self._submitted, function, args))
        self._submitted += 1

    def results(self):
        self._queue.join()
        return [self._results[number] for number in range(self._submitted)]
