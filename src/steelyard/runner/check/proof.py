"""Decide whether a broken check is an infrastructure error or the answer's failure.

An answer must not escape its score by breaking its check, so an infrastructure error needs proof: the check
of a known answer breaks as well. Otherwise the answer is checked once more.
"""

from collections.abc import Callable
from dataclasses import replace

from steelyard.checks.grading.excerpts import excerpt
from steelyard.checks.toolchains.terraform.blocks import scan
from steelyard.checks.toolchains.terraform.workspace import target_of
from steelyard.model.case import Case
from steelyard.model.outcome import Classification, Facts, Outcome

OWN_DOING = "this answer breaks its check, twice; that of a known answer works in the same place:"
# Minimal sources that exercise the tools, for cases without a reference.
PROBES = {
    "python": "probe = 1\n",
    "rust": "pub fn probe() {}\n",
    "terraform": "locals {\n  probe = 1\n}\n",
    "javascript": "export const probe = 1;\n",
    "typescript": "export const probe: number = 1;\n",
    "java": "public class Probe {}\n",
    "go": "package probe\n\nfunc Probe() {}\n",
    "c": "int probe(void) { return 1; }\n",
    "cpp": "int probe() { return 1; }\n",
}
ANY_LANGUAGE = "probe = 1\n"
LONG_FENCE = 64
TEXTS = frozenset({"text", "json"})


def proven(
    case: Case, answer: str, check: Callable[[str], Outcome], check_known: Callable[[str], Outcome]
) -> Outcome:
    """Return the outcome of an answer; an infrastructure error only if a known answer has one too.

    `check_known` must not be cached: only a real run shows the state of the machine.
    """
    outcome = check(answer)
    if not _is_error(outcome):
        return outcome
    known = check_known(known_answer(case))
    if _is_error(known):
        return outcome
    again = check(answer)
    return _failed(again, known) if _is_error(again) else again


def known_answer(case: Case) -> str:
    r"""Return an answer with a working check: the reference of the case, or a minimal source.

    For Terraform it is the original file, which requires the project's providers.

    >>> known_answer(Case(id="a", language="rust"))
    '```rust\npub fn probe() {}\n```\n'
    """
    if case.reference is not None:
        return case.reference
    language = case.language
    if language in TEXTS:
        return ANY_LANGUAGE
    code = PROBES.get(language, ANY_LANGUAGE)
    if language == "terraform":
        original = case.files.get(target_of(case), "")
        code = f"{original.rstrip()}\n" if scan(original).has_blocks else code
    # A long fence: a file may hold fences of its own.
    fence = "`" * (3 if "```" not in code else LONG_FENCE)
    return f"{fence}{case.language}\n{code}{fence}\n"


def _is_error(outcome: Outcome) -> bool:
    return outcome.facts.classification is Classification.ERROR


def _failed(outcome: Outcome, known: Outcome) -> Outcome:
    """Return a failure instead of the error, graded like the known answer."""
    return replace(
        outcome,
        check_digest=known.check_digest,
        integrity=known.integrity,
        facts=Facts(classification=Classification.CRASH, passed=False),
        detail=excerpt(f"{OWN_DOING}\n{outcome.detail}"),
        broke_its_check=True,
    )
