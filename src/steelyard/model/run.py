"""Hold the plan of a run: models, cases, number of samples and scoring rule.

Written as `run.json` when the run begins; the results are in the tables beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from steelyard.model.benchmark import RunBenchmark
from steelyard.model.log import LogSource
from steelyard.model.options import Scoring
from steelyard.model.outcome import Classification
from steelyard.model.sample import SampleKey
from steelyard.model.state import ExpectedCase

RUN_SCHEMA = "steelyard.run/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is evaluated: a model, a tier, and the sampling parameters."""

    model: str
    tier: str = "T0"
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCase:
    """A case by name, in the form that its digest identifies.

    `expected` is how a good answer ends: where refusing is right, `refusal`. A honeypot is in no score.
    """

    suite: str
    case: str
    digest: str
    expected: Classification = Classification.PASS
    honeypot: bool = False
    cluster: str = field(default="", compare=False)  # no part of the form: an eval set may change it


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectSamples:
    """How many samples of each case one subject gets, where that is not what the others get."""

    model: str
    tier: str
    samples: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Which part of an eval set a run is; `of` is the digest of the whole.

    >>> Shard(index=3, count=16, of="d").name
    '3/16'
    """

    index: int  # from 1
    count: int
    of: str

    @property
    def name(self) -> str:
        """The shard as it is typed."""
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunJudges:
    """Which models judged the answers of a run, by which rubric; the digest identifies its exact form."""

    models: tuple[str, ...]
    rubric: str
    rubric_digest: str
    pass_threshold: str  # exact, such as 7/10
    parameters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcludedCase:
    """A case that a run leaves out because its reference does not pass."""

    suite: str
    case: str
    reason: str  # in one line


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The plan of a run, and the tools it was made with.

    A case that changed during the run is listed twice; the later form counts.
    """

    id: str
    created_at: str
    generator: str
    scoring: Scoring
    subjects: tuple[Subject, ...]
    cases: tuple[RunCase, ...]
    planned_samples: int | None = None
    stop_rule: str | None = None
    suite_weights: dict[str, str] = field(default_factory=dict)  # exact, such as 3 or 1/2; none: all count 1
    eval_set: str | None = None
    eval_set_digest: str | None = None
    seed: int | None = None
    tools: dict[str, str] = field(default_factory=dict)
    host: dict[str, str] = field(default_factory=dict)
    judges: RunJudges | None = None
    imported: LogSource | None = None  # where the run comes from, if another tool made it
    benchmark: RunBenchmark | None = None
    languages: tuple[str, ...] = ()  # of the answers; (): unknown, as in runs of older versions
    pass_k: tuple[int, ...] = ()  # the default of the report; (): pass@1
    subject_samples: tuple[SubjectSamples, ...] = ()  # of subjects that were extended apart from the others
    shard: Shard | None = None  # None: the run is no part of a larger one
    recorded: bool = False  # whether answers came from a record, generated in a way that this run cannot know
    names_refusals: bool = True  # False: imported outcomes that do not say which samples are refusals
    excluded: tuple[ExcludedCase, ...] = ()  # cases of the set that are not among `cases`
    attempts_known: bool = True  # False: imported outcomes that do not say which samples are of one attempt

    def samples_of(self, model: str, tier: str) -> int:
        """Return how many samples of each case are planned for a subject."""
        own = (
            subject.samples
            for subject in self.subject_samples
            if (subject.model, subject.tier) == (model, tier)
        )
        return next(own, self.planned_samples or 0)

    @property
    def planned_total(self) -> int | None:
        """How many samples are planned; None for a run without a plan, such as an imported one."""
        if self.planned_samples is None and not self.subject_samples:
            return None
        return len(self.current_cases()) * sum(
            self.samples_of(subject.model, subject.tier) for subject in self.subjects
        )

    @property
    def has_fixed_plan(self) -> bool:
        """Whether the number of samples was known beforehand; a stop rule decides as it goes."""
        return self.stop_rule is None and self.planned_total is not None

    def current_cases(self) -> tuple[RunCase, ...]:
        """Return every case once, in its latest form."""
        return tuple({(case.suite, case.case): case for case in self.cases}.values())

    def superseded_cases(self) -> tuple[RunCase, ...]:
        """Return the earlier forms of cases that changed: their answers stay, and do not count."""
        current = self.current_cases()
        if len(current) == len(self.cases):  # nearly always, and there may be 10^5
            return ()
        counting = set(current)
        return tuple(case for case in self.cases if case not in counting)

    def expected(self) -> frozenset[ExpectedCase]:
        """Return the cases that every subject should have answered and that scores count."""
        cases = (case for case in self.current_cases() if not case.honeypot)
        return frozenset(ExpectedCase(case.suite, case.case) for case in cases)

    def honeypots(self) -> frozenset[ExpectedCase]:
        """Return the cases that no honest answer passes."""
        cases = (case for case in self.current_cases() if case.honeypot)
        return frozenset(ExpectedCase(case.suite, case.case) for case in cases)

    def expected_kinds(self) -> dict[tuple[str, str], Classification]:
        """Return how good answers end, by suite and case, for the cases where that is not `pass`."""
        return {
            (case.suite, case.case): case.expected
            for case in self.current_cases()
            if case.expected is not Classification.PASS
        }

    def clusters(self) -> dict[tuple[str, str], str]:
        """Return the cluster of each case that has one, by suite and case."""
        return {(case.suite, case.case): case.cluster for case in self.current_cases() if case.cluster}

    def wanted(self) -> Iterator[SampleKey]:
        """Yield every planned sample, attempts of one case together, in a stable order."""
        cases = self.current_cases()
        for subject in self.subjects:
            for case in cases:
                for attempt in range(self.samples_of(subject.model, subject.tier)):
                    yield SampleKey(subject.model, subject.tier, case.suite, case.case, case.digest, attempt)


def case_key(model: str, tier: str, suite: str, case: str, digest: str) -> int:
    """Return one number for a subject's case: tables are grouped by it because integers compare quickly.

    From 0 to 2^63 - 1. Among a million cases the chance that any two share a number is below 10^-7.

    >>> case_key("m", "T0", "s", "c", "d") == case_key("m", "T0", "s", "c", "d")
    True
    >>> case_key("m", "T0", "s", "c", "d") == case_key("m", "T0", "sc", "", "d")
    False
    """
    return key_of_words(words_of(model, tier) + words_of(suite, case, digest))


def words_of(*names: str) -> str:
    """Return the words that stand for some names in a key; those of a longer list are those of its parts.

    >>> words_of("m", "T0") + words_of("s")
    '1:m2:T01:s'
    """
    # With their lengths, so that no two lists of words read the same.
    return "".join([f"{len(name)}:{name}" for name in names])


def key_of_words(words: str) -> int:
    """Return the number of the names that some words stand for.

    >>> key_of_words(words_of("m", "T0") + words_of("s", "c", "d")) == case_key("m", "T0", "s", "c", "d")
    True
    """
    return int.from_bytes(blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1
