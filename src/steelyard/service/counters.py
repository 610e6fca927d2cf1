"""Count what the service did, for Prometheus, and by source for those who watch a training run."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from steelyard.model.outcome import Classification, Integrity
from steelyard.service.admission import Reason
from steelyard.service.checked import Checked

MOST_SOURCES = 1_000  # further ones are counted together: a source is a word of the client
OTHERS = "(others)"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)


class Counters:
    """The metrics of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._sources: set[str] = set()
        self._checks = self._counter("checks", "Checks by verdict.", "source", "verdict", "integrity")
        self._repeats = self._counter("repeated_answers", "Answers equal to an earlier one.", "source")
        self._honeypots = self._counter("honeypot_passes", "Honeypots that an answer passed.", "source")
        self._open = self._counter("open_passes", "Passes of checks that are not sealed.", "source")
        self._refused = self._counter("refused", "Requests that were refused.", "reason")
        self._errors = self._counter("errors", "Checks without a verdict.", "reason")
        self._queue_s = Histogram(
            "steelyard_queue_seconds", "Time in the queue.", buckets=SECONDS, registry=self.registry
        )
        self._wall_s = Histogram(
            "steelyard_check_seconds", "Duration of checks.", buckets=SECONDS, registry=self.registry
        )
        self.queued = self._gauge("queued", "Checks that wait for a worker.")
        self.busy = self._gauge("busy_workers", "Workers with a check.")
        self.restarts = self._gauge("worker_restarts", "Workers that were replaced.")
        self.breaker = self._gauge("breaker_open", "1 while the circuit breaker refuses checks.")

    def add(self, checked: Checked, *, source: str) -> None:
        """Count a check that ended."""
        source = self._known(source)
        outcome = checked.outcome
        verdict = str(outcome.facts.classification)
        self._checks.labels(source, verdict, str(outcome.integrity or "unknown")).inc()
        if outcome.is_repeat:
            self._repeats.labels(source).inc()
        if outcome.facts.classification is Classification.PASS:
            if checked.case.honeypot:
                self._honeypots.labels(source).inc()
            if outcome.integrity is not Integrity.SEALED:
                self._open.labels(source).inc()
        if checked.reason is not None:
            self._errors.labels(str(checked.reason)).inc()
        self._queue_s.observe(checked.queue_s)
        self._wall_s.observe(checked.wall_s)

    def add_refusal(self, reason: Reason) -> None:
        """Count a request that was refused."""
        self._refused.labels(str(reason)).inc()

    def text(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def _known(self, source: str) -> str:
        if source not in self._sources and len(self._sources) >= MOST_SOURCES:
            return OTHERS
        self._sources.add(source)
        return source

    def _counter(self, name: str, meaning: str, *labels: str) -> Counter:
        return Counter(f"steelyard_{name}", meaning, labels, registry=self.registry)

    def _gauge(self, name: str, meaning: str) -> Gauge:
        return Gauge(f"steelyard_{name}", meaning, registry=self.registry)
