import time


class TokenBucket:
    def __init__(self, rate, capacity, clock=time.monotonic):
        self.rate = rate
        self.capacity = capacity
        self._clock = clock
        self._tokens = float(capacity)
        self._updated = clock()

    def _refill(self):
        now = self._clock()
        self._tokens = min(self.capacity, self._tokens + (now - self._updated) * self.rate)
        self._updated = now

    def _check(self, tokens):
        if tokens > self.capacity:
            raise ValueError(f"{tokens} tokens exceed the capacity of {self.capacity}")

    def try_acquire(self, tokens=1):
        self._check(tokens)
        self._refill()
        if self._tokens < tokens:
            return False
        self._tokens -= tokens
        return True

    def wait_time(self, tokens=1):
        self._check(tokens)
        self._refill()
        return max(0.0, (tokens - self._tokens) / self.rate)
