"""Give the texts of a run's cases from the eval set kept beside it: prompts, tests, references, tags."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from steelyard.app.names_of_tests import is_test_name
from steelyard.checks.extraction.extract import extract
from steelyard.checks.text.demands import DEMANDS
from steelyard.errors import InputError
from steelyard.model.case import Case
from steelyard.model.evalset import FURTHER_TRY, EvalSet, Tier
from steelyard.model.sample import CaseTexts
from steelyard.model.viewing import CaseRow, FailedTests, Message
from steelyard.store.run.location import location_of
from steelyard.store.run.stored_set import read_stored_set

TEXT = "text"  # the language of answers that are checked as they stand
LARGEST_EXTRACTED = 2_000_000  # characters of an answer; a longer one is shown raw only


EARLIER = Message(role="note", text=FURTHER_TRY)


@dataclass(frozen=True, slots=True)
class EvalTexts:
    """The cases and tiers of an eval set by name; nothing for an imported run."""

    cases: Mapping[tuple[str, str], Case] = field(default_factory=dict)
    tiers: Mapping[str, Tier] = field(default_factory=dict)
    has_feedback: bool = False  # whether a further try was shown the failed one before it

    @property
    def tags(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The tags of every case that has any, by suite and case."""
        return {name: case.tags for name, case in self.cases.items() if case.tags}

    def messages(self, row: CaseRow) -> tuple[Message, ...]:
        """Return what a case's newest form is asked with."""
        return self.asked(row.suite, row.case, row.tier)

    def asked(self, suite: str, name: str, tier: str) -> tuple[Message, ...]:
        """Return what the newest form of a case is asked with in a tier; nothing if the case is not known."""
        case = self.cases.get((suite, name))
        return () if case is None else tuple(_messages(case, self.tiers.get(tier)))

    def prompt(self, suite: str, name: str, tier: str) -> str | None:
        """Return what a case is asked with in a tier: the prompt, and other messages where there are some."""
        asked = self.asked(suite, name, tier)
        if not asked:
            return None
        whole = [f"{one.role}{f' {one.title}' if one.title else ''}:\n{one.text}" for one in asked]
        return "\n\n".join(whole) if len(asked) > 1 else asked[0].text

    def about(self, suite: str, name: str, tier: str) -> CaseTexts | None:
        """Return what a case asks and is checked by; None if the case is not known."""
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
        """Return what an answer that is text is compared with; None for other answers."""
        case = self.cases.get((suite, name))
        if case is None or case.language != TEXT:
            return None
        settings = case.expectations.settings
        return "\n".join(f"{demand}: {settings[demand]}" for demand in DEMANDS if demand in settings) or None

    def named_tests(self, row: CaseRow, found: FailedTests) -> FailedTests:
        """Return failed tests without what only looks like the name of one; none where no tests are known."""
        case = self.cases.get((row.suite, row.case))
        if case is None:
            return replace(found, tests=())
        tests = tuple(one for one in found.tests if is_test_name(one.name, case.expectations))
        return replace(found, tests=tests)

    def of(self, row: CaseRow, digest: str, answer: object, attempt: int) -> dict[str, object]:
        """Return what a sample view shows beside an answer; nothing if the case has changed since."""
        case = self.cases.get((row.suite, row.case))
        if case is None or (digest and case.digest != digest):
            return {}
        return {
            "language": case.language,
            "messages": (*self.messages(row), *((EARLIER,) if self.has_feedback and attempt else ())),
            "reference": _code(case, case.reference) or case.reference,  # as the code it is compared with
            "tests": case.expectations.tests,
            "expected": self.compared_with(row.suite, row.case),
            "code": _code(case, answer),
        }


def eval_texts(address: str) -> EvalTexts:
    """Read the eval set of a run; an imported run has none."""
    try:
        found: EvalSet = read_stored_set(location_of(address))
    except InputError:
        return EvalTexts()
    return EvalTexts(
        cases={(case.suite, case.id): case for case in found.cases},
        tiers={tier.id: tier for tier in found.tiers},
        has_feedback=found.sampling.feedback,
    )


def _messages(case: Case, tier: Tier | None) -> Iterator[Message]:
    if tier is not None and tier.system_prompt:
        yield Message(role="system", text=tier.system_prompt)
    if tier is not None:
        for name, text in sorted(tier.context.items()):
            yield Message(role="context", text=text, title=name)
    yield Message(role="user", text=case.prompt)
    for name, text in sorted(case.files.items()):
        yield Message(role="file", text=text, title=name)


def _code(case: Case, answer: object) -> str | None:
    """Return the code that the checker of a case takes out of an answer; None if it takes the text."""
    if not isinstance(answer, str) or case.language == TEXT or len(answer) > LARGEST_EXTRACTED:
        return None
    found = extract(answer, case.language, files=case.files)
    return found.code if found.found else None
