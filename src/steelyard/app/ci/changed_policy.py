"""Let no change rewrite the policy that it is judged by: the policy counts as the base branch kept it."""

from dataclasses import replace

from steelyard.app.gate import EXIT_CODES
from steelyard.model.baseline import Baseline
from steelyard.model.gate import GateReport
from steelyard.model.policy import GatePolicy
from steelyard.model.verdict import Verdict

NOTE = (
    "**The gate's policy has changed**: `[gate]` of `steelyard.toml` is not the one that the baseline was "
    "kept with, so this verdict decides nothing. A new policy takes effect when the base branch has kept a "
    "baseline with it.\n\n"
)
EXIT_CODE = EXIT_CODES[Verdict.INCONCLUSIVE]


def has_changed(policy: GatePolicy, baseline: Baseline) -> bool:
    """Whether a policy is another one than that of the base branch."""
    return policy.digest != baseline.policy


def without_decision(gate: GateReport) -> GateReport:
    """Return a gate that decides nothing."""
    return replace(gate, verdict=Verdict.INCONCLUSIVE)
