import time


class TokenBucket:
    def __init__(self, rate, capacity, clock=time.monotonic):
        self.rate = rate
        self.capacity = capacity
        self.clock = clock
        self.tokens = capacity
        self.updated = clock()

    def _refill(self):
        now = self.clock()
        self.tokens += (now - self.updated) * self.rate
        self.updated = now

    def try_acquire(self, tokens=1):
        if tokens > self.capacity:
            raise ValueError("too many tokens")
        self._refill()
        if self.tokens > tokens:
            self.tokens -= tokens
            return True
        return False

    def wait_time(self, tokens=1):
        if tokens > self.capacity:
            raise ValueError("too many tokens")
        self._refill()
        return max(0.0, (tokens - self.tokens) / self.rate)
