"""Look up the texts of a run's cases in its stored eval set: prompts, tests, references, tags."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache

from steelyard.app.run_address import RunAddress, address_of
from steelyard.checks.extraction.extract import extract
from steelyard.checks.forms.text.requirements import REQUIREMENTS
from steelyard.checks.grading.excerpts import LONGEST
from steelyard.errors import InputError
from steelyard.model.case import Case, Expectations
from steelyard.model.evalset import FURTHER_TRY, EvalSet, Tier
from steelyard.model.sample import CaseTexts, SampleExcerpt
from steelyard.model.state import CaseKey
from steelyard.model.viewing import CaseRow, FailedTests, Message
from steelyard.store.run.excerpts import excerpts_of_run
from steelyard.store.run.location import location_of
from steelyard.store.run.stored_set import read_stored_set

TEXT = "text"  # the language of answers checked as plain text
LARGEST_EXTRACTED = 2_000_000  # characters of an answer; longer ones are shown raw
OUTPUT_KEPT = LONGEST  # characters of a check's output that a run keeps
NUMBERED = re.compile(r"(?:call|line|run) [0-9]+", re.ASCII)  # unnamed tests of checkers
WORD = re.compile(r"[^\W_]+")
EARLIER = Message(role="note", text=FURTHER_TRY)


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """Cases and tiers of an eval set by name; empty for imported runs."""

    cases: Mapping[tuple[str, str], Case] = field(default_factory=dict)
    tiers: Mapping[str, Tier] = field(default_factory=dict)
    has_feedback: bool = False  # whether prompts of further tries contain the failed answer

    @property
    def tags(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The tags of every case that has any, by suite and case."""
        return {name: case.tags for name, case in self.cases.items() if case.tags}

    def messages(self, row: CaseRow) -> tuple[Message, ...]:
        """Return the prompt messages of a case's latest version."""
        return self.find_messages(row.suite, row.case, row.tier)

    def find_messages(self, suite: str, name: str, tier: str) -> tuple[Message, ...]:
        """Return the prompt messages of a case in a tier; empty for unknown cases."""
        case = self.cases.get((suite, name))
        return () if case is None else tuple(_list_messages(case, self.tiers.get(tier)))

    def prompt(self, suite: str, name: str, tier: str) -> str | None:
        """Format the prompt messages of a case as one text; None for unknown cases."""
        messages = self.find_messages(suite, name, tier)
        if not messages:
            return None
        if len(messages) == 1:
            return messages[0].text
        return "\n\n".join(
            f"{message.role}{f' {message.title}' if message.title else ''}:\n{message.text}"
            for message in messages
        )

    def about(self, suite: str, name: str, tier: str) -> CaseTexts | None:
        """Return a case's prompt, tests and reference; None for unknown cases."""
        case = self.cases.get((suite, name))
        if case is None:
            return None
        return CaseTexts(
            prompt=self.prompt(suite, name, tier) or "",
            expected=self.compared_with(suite, name) or "",
            tests=case.expectations.tests,
            reference=case.reference or "",
        )

    def compared_with(self, suite: str, name: str) -> str | None:
        """Return the text requirements of a case; None for code."""
        case = self.cases.get((suite, name))
        if case is None or case.language != TEXT:
            return None
        settings = case.expectations.settings
        return "\n".join(f"{name}: {settings[name]}" for name in REQUIREMENTS if name in settings) or None

    def named_tests(self, row: CaseRow, failed: FailedTests) -> FailedTests:
        """Drop failed tests with unknown names; drop all for unknown cases."""
        case = self.cases.get((row.suite, row.case))
        if case is None:
            return replace(failed, tests=())
        tests = tuple(test for test in failed.tests if is_test_name(test.name, case.expectations))
        return replace(failed, tests=tests)

    def of(self, row: CaseRow, digest: str, answer: object, attempt: int) -> dict[str, object]:
        """Return a sample view's fields of the case; empty if the case has changed."""
        case = self.cases.get((row.suite, row.case))
        if case is None or (digest and case.digest != digest):
            return {}
        return {
            "language": case.language,
            "messages": (*self.messages(row), *((EARLIER,) if self.has_feedback and attempt else ())),
            "reference": _extract_code(case, case.reference) or case.reference,
            "tests": case.expectations.tests,
            "expected": self.compared_with(row.suite, row.case),
            "code": _extract_code(case, answer),
        }


def eval_texts(address: str) -> EvalTexts:
    """Read the texts of a run's eval set; empty for imported runs."""
    try:
        eval_set: EvalSet = read_stored_set(location_of(address))
    except InputError:
        return EvalTexts()
    return EvalTexts(
        cases={(case.suite, case.id): case for case in eval_set.cases},
        tiers={tier.id: tier for tier in eval_set.tiers},
        has_feedback=eval_set.sampling.feedback,
    )


def _list_messages(case: Case, tier: Tier | None) -> Iterator[Message]:
    if tier is not None and tier.system_prompt:
        yield Message(role="system", text=tier.system_prompt)
    if tier is not None:
        for name, text in sorted(tier.context.items()):
            yield Message(role="context", text=text, title=name)
    yield Message(role="user", text=case.prompt)
    for name, text in sorted(case.files.items()):
        yield Message(role="file", text=text, title=name)


def _extract_code(case: Case, answer: object) -> str | None:
    """Extract the code that a checker runs; None for text answers."""
    if not isinstance(answer, str) or case.language == TEXT or len(answer) > LARGEST_EXTRACTED:
        return None
    extracted = extract(answer, case.language, files=case.files)
    return extracted.code if extracted.is_code else None


def sample_excerpts(address: RunAddress, *, threads: int | None = None) -> tuple[SampleExcerpt, ...]:
    """Return samples of a run: one of every case, then a second of every case, and so on.

    Args:
        address: The run. If it has a stored eval set, samples include prompt, tests and reference.
        threads: Threads for counting. Default: all cores.
    """
    address = address_of(address)
    texts = eval_texts(str(address))
    texts_of_case = cache(texts.about)

    def find_texts(key: CaseKey) -> CaseTexts | None:
        return texts_of_case(key.suite, key.case, key.tier)

    return excerpts_of_run(address, find_texts, threads=threads)


def is_test_name(name: str, expectations: Expectations) -> bool:
    """Whether every word of a name, without parameters in brackets, occurs in a case's tests.

    >>> tests = Expectations(tests="def test_add_two(): assert add(1, 1) == 2")
    >>> [is_test_name(name, tests) for name in ("test_add_two", "test_add_two[a-b]", "NameError", "line 3")]
    [True, True, False, True]
    """
    words = WORD.findall(name.partition("[")[0])
    return bool(NUMBERED.fullmatch(name)) or (bool(words) and _find_words(expectations).issuperset(words))


@lru_cache(maxsize=64)
def _split_words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text))


def _find_words(expectations: Expectations) -> frozenset[str]:
    calls = [call.name for call in expectations.calls]
    programs = [test.name for test in expectations.io]
    return _split_words("\n".join([expectations.tests, *calls, *programs]))
