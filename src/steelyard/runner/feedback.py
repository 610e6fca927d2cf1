"""Add the last failed answer and its check output to the next prompt, if the eval set requests it.

Without a failed answer, such as after an infrastructure error, the prompt is unchanged.
"""

from steelyard.model.sample import Sample, SampleKey
from steelyard.store.run.progress import CaseName
from steelyard.store.run.query import query_run
from steelyard.store.run.run_store import RunStore

FAILED = """
SELECT model, tier, suite, case_id, case_digest, samples.text AS answer, outcomes.detail AS report
FROM samples JOIN outcomes USING (model, tier, suite, case_id, case_digest, attempt)
WHERE NOT outcomes.passed ORDER BY attempt
"""


class Feedback:
    """The last failed answer of each case with its check output; for one event loop."""

    def __init__(self) -> None:
        self._last: dict[CaseName, tuple[str, str]] = {}

    @classmethod
    def of_run(cls, store: RunStore) -> "Feedback":
        """Load the feedback of a resumed run."""
        feedback = cls()
        for row in query_run(store.location.address, FAILED):
            name = (row["model"], row["tier"], row["suite"], row["case_id"], row["case_digest"])
            feedback._last[name] = (row["answer"], row["report"])
        return feedback

    def add(self, sample: Sample, report: str) -> None:
        """Add a failed answer with its check output."""
        self._last[_name(sample.key)] = (sample.text, report)

    def prompt(self, key: SampleKey, prompt: str) -> str:
        """Return the case's prompt, extended by the last failure if there is one."""
        last = self._last.get(_name(key))
        if last is None:
            return prompt
        answer, report = last
        return (
            f"{prompt}\n\nYou have answered this before:\n\n{answer}\n\nThat answer failed. "
            "Its check reported:"
            f"\n\n{report}\n\nThe tests are right and stay as they are. Answer again, as a whole."
        )


def _name(key: SampleKey) -> CaseName:
    return key.model, key.tier, key.suite, key.case, key.digest
