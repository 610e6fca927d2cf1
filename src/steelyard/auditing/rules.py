"""The rules of an audit, by section."""

from steelyard.model.audit import ALL_CASES, Finding, Rule, Severity

ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

# --- Soundness
REFERENCE_FAILS = Rule(
    name="reference-fails", severity=ERROR, remedy="Correct the reference or the tests that it fails."
)
REFERENCE_FLAKY = Rule(
    name="reference-flaky", severity=ERROR, remedy="Remove chance and timing from the tests, or seed them."
)
HASH_SEED = Rule(
    name="hash-seed-dependent",
    severity=ERROR,
    remedy="Compare sets and dictionaries without regard to order, or sort them.",
)
TIME_ZONE = Rule(
    name="time-zone-dependent", severity=ERROR, remedy="Use UTC, or a stated time zone, in the tests."
)
TEST_ORDER = Rule(
    name="test-order-dependent", severity=ERROR, remedy="Let each test create the state that it needs."
)
WRONG_PASSES = Rule(
    name="wrong-answer-passes", severity=ERROR, remedy="Add a test that the wrong answer fails."
)

# --- Integrity
EMPTY_PASSES = Rule(
    name="empty-answer-passes", severity=ERROR, remedy="Add a test of a result that the answer must compute."
)
CHEAT_PASSES = Rule(
    name="cheat-passes",
    severity=ERROR,
    remedy="Compare results with `==` against plain values, or state them as `calls`.",
)
CONSTANT_PASSES = Rule(
    name="constant-passes", severity=ERROR, remedy="Add a test with another expected value."
)
OPEN_ASSERTIONS = Rule(
    name="open-assertions",
    severity=WARNING,
    remedy="State expected values as plain data in assertions, `calls` or `io`.",
)
PARTLY_OPEN = Rule(
    name="partly-open-assertions",
    severity=NOTE,
    remedy="State the remaining expected values as plain data.",
)
TESTS_IN_PROMPT = Rule(
    name="tests-in-prompt", severity=WARNING, remedy="Add tests whose values the prompt does not show."
)

# --- Strength
WEAK_TESTS = Rule(name="weak-tests", severity=ERROR, remedy="Add tests that fail for the changes shown.")
SURVIVING_MUTANT = Rule(
    name="surviving-mutant",
    severity=WARNING,
    remedy="Add a test that fails for the change; waive it if the change alters no behaviour.",
)

# --- Fairness
TIGHT_LIMIT = Rule(
    name="tight-time-limit",
    severity=WARNING,
    remedy="Raise the time limit to four times the reference's time.",
)
UNSTATED_NAME = Rule(name="unstated-name", severity=ERROR, remedy="State the name in the prompt.")

# --- The set
NO_REFERENCE = Rule(
    name="no-reference", severity=WARNING, remedy="Add a reference: without one, a case cannot be audited."
)
NO_TESTS = Rule(name="no-tests", severity=ERROR, remedy="Add tests: any answer that builds passes.")
NEAR_DUPLICATE = Rule(
    name="near-duplicate", severity=WARNING, remedy="Remove one of the cases, or make them differ."
)
UNUSED_WAIVER = Rule(name="unused-waiver", severity=WARNING, remedy="Remove the waiver.")

RULES = tuple(rule for rule in list(globals().values()) if isinstance(rule, Rule))


def finding(rule: Rule, evidence: str, *, case: str = ALL_CASES) -> Finding:
    """Return a finding of a rule."""
    return Finding(rule=rule.name, severity=rule.severity, case=case, evidence=evidence, remedy=rule.remedy)
