"""Faults of the set as a whole: cases that are alike, and cases that cannot be audited."""

import re
from collections import defaultdict
from collections.abc import Iterator

from steelyard.auditing import rules
from steelyard.auditing.rules import finding
from steelyard.model.audit import Finding
from steelyard.model.evalset import EvalSet
from steelyard.model.validation import Validation

SHINGLE = 4  # words
ALIKE = 0.8  # shared share of the shingles of two prompts
COMMON = 50  # prompts: a shingle in more of them is boilerplate


def gaps(eval_set: EvalSet) -> Iterator[Finding]:
    """Find cases without tests or reference."""
    validation = Validation(eval_set=eval_set)
    for case in validation.without_demands:
        yield finding(rules.NO_TESTS, "every answer that builds passes", case=case)
    for case in validation.without_reference:
        yield finding(rules.NO_REFERENCE, "the case has no reference", case=case)


def near_duplicates(eval_set: EvalSet) -> Iterator[Finding]:
    """Find pairs of cases of one language with almost the same prompt."""
    shingles = {index: _shingles(case.prompt) for index, case in enumerate(eval_set.cases)}
    holders = defaultdict[str, list[int]](list)
    for index, own in shingles.items():
        for shingle in own:
            holders[shingle].append(index)
    for index, own in shingles.items():
        case = eval_set.cases[index]
        rare = (holders[shingle] for shingle in own if len(holders[shingle]) <= COMMON)
        for other in sorted({earlier for indices in rare for earlier in indices if earlier < index}):
            twin = eval_set.cases[other]
            share = len(own & shingles[other]) / len(own | shingles[other])
            if share >= ALIKE and twin.language == case.language:
                evidence = f"{share:.0%} of its prompt is that of {twin.id!r}"
                yield finding(rules.NEAR_DUPLICATE, evidence, case=case.id)


def _shingles(text: str) -> frozenset[str]:
    """Return all runs of a few words."""
    words = re.findall(r"\w+", text.lower())
    return frozenset(
        " ".join(words[start : start + SHINGLE]) for start in range(max(1, len(words) - SHINGLE + 1))
    )
