"""What a run and a report say about the trust of a grade."""

from dataclasses import replace

from steelyard.model.run import RunCase
from steelyard.model.state import ExpectedCase
from steelyard.model.trust import SubjectIntegrity
from tests.store.run.small_run import MANIFEST


def test_the_samples_of_a_subject_are_those_of_every_integrity() -> None:
    assert SubjectIntegrity(model="m", tier="T0", sealed=3, partial=4, open=2, unknown=1).samples == 10


def test_a_honeypot_is_not_expected_of_a_subject() -> None:
    cases = (
        RunCase(suite="s", case="plain", digest="1"),
        RunCase(suite="s", case="trap", digest="1", honeypot=True),
        RunCase(suite="s", case="once a trap", digest="1", honeypot=True),
        RunCase(suite="s", case="once a trap", digest="2"),
    )
    manifest = replace(MANIFEST, cases=cases)

    assert manifest.honeypots() == {ExpectedCase("s", "trap")}
    assert manifest.expected() == {ExpectedCase("s", "plain"), ExpectedCase("s", "once a trap")}
