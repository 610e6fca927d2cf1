"""Let a further answer see the failed one before it and what its check said, where the eval set wants that.

Only the last failed answer is shown. Where none failed, as after an error of ours, nothing is.
"""

from steelyard.model.sample import Sample, SampleKey
from steelyard.store.run.progress import CaseName
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore

FAILED = """
SELECT model, tier, suite, case_id, case_digest, samples.text AS answer, outcomes.detail AS said
FROM samples JOIN outcomes USING (model, tier, suite, case_id, case_digest, attempt)
WHERE NOT outcomes.passed ORDER BY attempt
"""


class Feedback:
    """The last failed answer to each case, and what its check said; for one event loop."""

    def __init__(self) -> None:
        self._last: dict[CaseName, tuple[str, str]] = {}

    @classmethod
    def of_run(cls, store: RunStore) -> "Feedback":
        """Return what a run that goes on has seen so far."""
        found = cls()
        for row in query_run(store.location.address, FAILED):
            name = (row["model"], row["tier"], row["suite"], row["case_id"], row["case_digest"])
            found._last[name] = (row["answer"], row["said"])
        return found

    def add(self, sample: Sample, said: str) -> None:
        """Add a failed answer, and what its check said."""
        self._last[_name(sample.key)] = (sample.text, said)

    def prompt(self, key: SampleKey, prompt: str) -> str:
        """Return what is asked: the prompt of the case, and after a failure that answer and its fault."""
        last = self._last.get(_name(key))
        if last is None:
            return prompt
        answer, said = last
        return (
            f"{prompt}\n\nYou have answered this before:\n\n{answer}\n\nThat answer failed. Its check said:"
            f"\n\n{said}\n\nThe tests are right and stay as they are. Answer again, as a whole."
        )


def _name(key: SampleKey) -> CaseName:
    return key.model, key.tier, key.suite, key.case, key.digest
