import queue
import threading


class WorkerPool:
    def __init__(self, size):
        self._queue = queue.Queue()
        self._results = []
        self._size = size
        self._closed = False

    def __enter__(self):
        for number in range(self._size):
            threading.Thread(target=self._work, name=f"worker-{number}", daemon=True).start()
        return self

    def __exit__(self, *exc_info):
        self._closed = True

    def _work(self):
        while True:
            function, args = self._queue.get()
            try:
                self._results.append(function(*args))
            except Exception as error:
                self._results.append(error)
            finally:
                self._queue.task_done()

    def submit(self, function, *args):
        if self._closed:
            raise RuntimeError("closed")
        self._queue.put((function, args))

    def results(self):
        self._queue.join()
        return self._results
