"""Say what an eval-set file may hold: every table, every key, what it means and which values it takes.

Reader, JSON Schema and reference page are made from these records. Where forgetest has a name of its own for
something, both names are there; a file says it by one of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from steelyard.model.graded import Compare
from steelyard.model.outcome import Classification
from steelyard.sources.toml.plain import ListOrFile, PlainValue
from steelyard.sources.toml.tables import TomlForm, TomlTables
from steelyard.sources.toml.text import Choices, Setting, Text
from steelyard.sources.toml.types import Id, NotNegative, Positive, Share, Tolerance, doc


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSetTable:
    """What the set is called, and what holds for its cases unless they say otherwise."""

    id: Id = field(metadata=doc("A short name, such as `rust-basics`."))
    name: str = field(default="", metadata=doc("A name for people."))
    description: str = field(default="", metadata=doc("What the set is about."))
    default_language: Id | None = field(
        default=None, metadata=doc("The language of cases that name none; `rust` where this is missing.")
    )
    default_timeout_secs: Annotated[float, Field(gt=0)] = field(
        default=60.0,
        metadata=doc("How many seconds the check of an answer may take if the case does not say."),
    )
    default_memory_mb: Positive | None = field(
        default=None,
        metadata=doc("How many MiB of memory the check of an answer may use if the case does not say."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingTable:
    """How answers are generated; the command line may say otherwise."""

    samples: Positive | None = field(
        default=None, metadata=doc("How many answers of each subject to each case.")
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = field(
        default=None, metadata=doc("The sampling temperature.")
    )
    top_p: Annotated[float, Field(gt=0, le=1)] | None = field(
        default=None, metadata=doc("The share of likely tokens to sample from.")
    )
    max_tokens: Positive | None = field(default=None, metadata=doc("The longest answer, in tokens."))
    seed: NotNegative | None = field(
        default=None, metadata=doc("Where randomness begins, for models that take a seed.")
    )
    stop_rule: str | None = field(
        default=None, metadata=doc("When to stop early, such as `maximum=10,passes=1`.")
    )
    feedback: bool = field(
        default=False,
        metadata=doc("Whether a further answer sees the failed one before it and its check's output."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringTable:
    """How answers are scored; without it, what the checks see decides."""

    rule: str | None = field(default=None, metadata=doc("A scoring rule, such as `build-test-lint`."))
    weights: dict[str, Share] = field(default_factory=dict, metadata=doc("How much each part counts."))
    penalties: dict[str, Share] = field(
        default_factory=dict, metadata=doc("What a kind of failure takes off the score.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTable:
    """A group of cases."""

    id: Id = field(metadata=doc("A short name; cases name it in `suite`."))
    name: str = field(default="", metadata=doc("A name for people."))
    description: str = field(default="", metadata=doc("What the suite is about."))
    weight: Share = field(default=1.0, metadata=doc("How much the suite counts in a weighted overall score."))


@dataclass(frozen=True, slots=True, kw_only=True)
class TierTable:
    """A way of asking."""

    id: Id = field(metadata=doc("A short name; `T0` is the baseline."))
    name: str = field(default="", metadata=doc("A name for people."))
    description: str = field(default="", metadata=doc("What is special about it."))
    system_prompt: Text = field(default="", metadata=doc("The text that precedes the prompt."))
    context_files: tuple[str, ...] = field(
        default=(), metadata=doc("Files that are shown with every prompt; paths relative to this TOML file.")
    )
    provider: str = field(
        default="",
        metadata=doc("An agent described in `steelyard.toml`, which calls the models in this tier."),
    )
    command: str = field(
        default="", metadata=doc("The command line of an agent, such as `my-agent --model {model}`.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectTable:
    """A model to generate from, if the command line names none."""

    model: Id = field(metadata=doc("A model, such as `openai/gpt-5`."))
    tier: Id = field(default="T0", metadata=doc("A way of asking."))
    parameters: dict[str, Setting] = field(
        default_factory=dict, metadata=doc("Sampling parameters of this subject alone.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTable:
    """The judges of every answer and their rubric; the command line may name other judges."""

    models: tuple[Id, ...] = field(default=(), metadata=doc("Models that judge, such as `openai/gpt-5`."))
    rubric: str = field(
        default="quality",
        metadata=doc("A shipped rubric, or a TOML file; a path is relative to this TOML file."),
    )
    readings: Positive | None = field(
        default=None, metadata=doc("How often each judge reads an answer; by default as in the rubric.")
    )
    extra_readings: NotNegative | None = field(
        default=None, metadata=doc("How many more readings there may be while they disagree.")
    )
    pass_threshold: Annotated[float, Field(ge=0, le=1)] | None = field(
        default=None, metadata=doc("The score from which on the judges' word is a pass.")
    )
    temperature: Annotated[float, Field(ge=0, le=2)] | None = field(
        default=None, metadata=doc("The sampling temperature of the judges.")
    )
    max_tokens: Positive | None = field(
        default=None, metadata=doc("The longest reply of a judge, in tokens.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentTable:
    """The packages that answers and tests may import, and the Python of those in Python."""

    python: str = field(
        default="", metadata=doc("A version, such as `3.12`; by default the Python that Steelyard runs on.")
    )
    requirements: Text = field(
        default="", metadata=doc("Packages, each pinned to one version, one a line; hashes are allowed.")
    )
    npm: tuple[str, ...] = field(
        default=(),
        metadata=doc(
            "Packages for answers in JavaScript and TypeScript, each with its version: `lodash@4.17.21`."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DependencyTable:
    """A library that an answer may use."""

    name: Id = field(metadata=doc("The name of the library."))
    version: str = field(metadata=doc("The version that is wanted."))
    features: tuple[str, ...] = field(default=(), metadata=doc("Features to switch on."))


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTable:
    """One call of the answer's function. What it must return or raise never enters the sandbox."""

    name: str = field(default="", metadata=doc("A name for the call; without one, its number."))
    args: tuple[PlainValue, ...] = field(default=(), metadata=doc("The arguments, as plain data."))
    kwargs: dict[str, PlainValue] = field(
        default_factory=dict, metadata=doc("Keyword arguments, for languages that have them.")
    )
    returns: PlainValue = field(
        default=None, metadata=doc("What the call returns; without it and `raises`, null.")
    )
    raises: Id | None = field(
        default=None, metadata=doc("The kind of error that the call raises; `any` for every kind.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IoTable:
    """One run of the answer's program. What it must print never enters the sandbox."""

    name: str = field(default="", metadata=doc("A name for the run; without one, its number."))
    stdin: Text = field(default="", metadata=doc("The standard input."))
    args: tuple[str, ...] = field(default=(), metadata=doc("Arguments on the command line."))
    stdout: Text = field(default="", metadata=doc("What the program prints."))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationsTable:
    """What an answer must do; an empty key is not checked."""

    should_build: bool | None = field(
        default=None, metadata=doc("Whether a good answer builds; true by default.")
    )
    should_compile: bool | None = field(default=None, metadata=doc("forgetest's name for `should_build`."))
    should_pass_tests: bool = field(
        default=True,
        metadata=doc("Whether a good answer passes all tests, or builds and fails at least one."),
    )
    tests: Text | None = field(default=None, metadata=doc("The graded tests, in the language of the case."))
    test_file: Text | None = field(
        default=None, metadata=doc("forgetest's name for `tests`: the code itself.")
    )
    function: str = field(default="", metadata=doc("The function that `calls` are calls of."))
    calls: ListOrFile[CallTable] = field(
        default=(), metadata=doc("Calls of the function with their results, in place of `tests`.")
    )
    io: tuple[IoTable, ...] = field(
        default=(), metadata=doc("Inputs and outputs of a whole program, in place of `tests`.")
    )
    compare: Compare | None = field(
        default=None,
        metadata=doc("How results compare: `exact` for calls and `lines` for programs by default."),
    )
    tolerance: Tolerance | None = field(
        default=None, metadata=doc("By how much floats may differ, absolute and relative; less than 1.")
    )
    comparator: Text = field(
        default="", metadata=doc('Python source that decides, for `compare = "program"`.')
    )
    functions: tuple[str, ...] | None = field(
        default=None, metadata=doc("Functions that the answer must define.")
    )
    expected_functions: tuple[str, ...] | None = field(
        default=None, metadata=doc("forgetest's name for `functions`.")
    )
    types: tuple[str, ...] | None = field(default=None, metadata=doc("Types that the answer must define."))
    expected_types: tuple[str, ...] | None = field(
        default=None, metadata=doc("forgetest's name for `types`.")
    )
    max_lint_warnings: NotNegative | None = field(
        default=None, metadata=doc("More warnings of the linter than this fail.")
    )
    max_clippy_warnings: NotNegative | None = field(
        default=None, metadata=doc("forgetest's name for `max_lint_warnings`.")
    )
    custom_check: str | None = field(
        default=None,
        metadata=doc(
            "A shell command that gets the code on its standard input and ends with 0 if it is good; "
            "it should not run the code."
        ),
    )
    settings: dict[str, Setting] = field(
        default_factory=dict, metadata=doc("What belongs to one kind of check only.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTable:
    """A task given to a model."""

    id: Id = field(metadata=doc("A short name, used once in the set."))
    name: str = field(default="", metadata=doc("A name for people."))
    description: str = field(default="", metadata=doc("What the case is about; the model does not see it."))
    suite: Id | None = field(default=None, metadata=doc("The suite that the case belongs to."))
    prompt: Text = field(metadata=doc("The prompt for the model."))
    language: Id | None = field(default=None, metadata=doc("Which check knows what to do with an answer."))
    tags: tuple[str, ...] = field(default=(), metadata=doc("Words to choose cases by."))
    cluster: str = field(
        default="",
        metadata=doc(
            "A name that similar cases share, such as variants of one task or issues of one repository."
        ),
    )
    timeout_secs: Annotated[float, Field(gt=0)] | None = field(
        default=None, metadata=doc("How many seconds the check of an answer may take.")
    )
    memory_mb: Positive | None = field(
        default=None, metadata=doc("How many MiB of memory the check of an answer may use.")
    )
    max_tokens: Positive | None = field(default=None, metadata=doc("The longest answer, in tokens."))
    dependencies: tuple[DependencyTable, ...] = field(
        default=(), metadata=doc("Libraries that an answer may use.")
    )
    files: dict[str, Text] = field(
        default_factory=dict, metadata=doc("Files in the workspace beside the answer, by path.")
    )
    variables: tuple[dict[str, Choices], ...] = field(
        default=(), metadata=doc("Values for `{{name}}`; each combination is a case of its own.")
    )
    expectations: ExpectationsTable = field(
        default_factory=ExpectationsTable, metadata=doc("What an answer must do.")
    )
    expected_classification: Classification = field(
        default=Classification.PASS,
        metadata=doc("How the check of a good answer ends: where refusing is right, `refusal`."),
    )
    honeypot: bool = field(
        default=False,
        metadata=doc("No honest answer passes; a pass is reported as a finding and counts in no score."),
    )
    reference: Text | None = field(
        default=None, metadata=doc("A whole answer that must pass, as a model would give it.")
    )
    wrong: tuple[Text, ...] = field(
        default=(), metadata=doc("Whole answers that must fail: mistakes a model might make.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalSetFile:
    """An eval set, or one file of a folder that is one."""

    eval_set: EvalSetTable | None = field(
        default=None, metadata=doc("What the set is called, and its defaults.")
    )
    sampling: SamplingTable | None = field(default=None, metadata=doc("How answers are generated."))
    scoring: ScoringTable | None = field(default=None, metadata=doc("How answers are scored."))
    judge: JudgeTable | None = field(default=None, metadata=doc("The judges of the answers."))
    environment: EnvironmentTable | None = field(
        default=None, metadata=doc("The Python and the packages of answers in Python.")
    )
    suites: tuple[SuiteTable, ...] = field(default=(), metadata=doc("Groups of cases."))
    tiers: tuple[TierTable, ...] = field(default=(), metadata=doc("Ways of asking."))
    subjects: tuple[SubjectTable, ...] = field(default=(), metadata=doc("The models to generate from."))
    cases: tuple[CaseTable, ...] = field(default=(), metadata=doc("The tasks."))


SetFile = TomlTables[EvalSetFile]

# Two names for one key: ours, and that of forgetest.
SAME: Mapping[str, str] = {
    "should_build": "should_compile",
    "tests": "test_file",
    "functions": "expected_functions",
    "types": "expected_types",
    "max_lint_warnings": "max_clippy_warnings",
}
FORM = TomlForm(
    title="Steelyard eval set",
    shape=EvalSetFile,
    tables={
        (): EvalSetFile,
        ("eval_set",): EvalSetTable,
        ("sampling",): SamplingTable,
        ("scoring",): ScoringTable,
        ("judge",): JudgeTable,
        ("environment",): EnvironmentTable,
        ("suites",): SuiteTable,
        ("tiers",): TierTable,
        ("subjects",): SubjectTable,
        ("cases",): CaseTable,
        ("cases", "dependencies"): DependencyTable,
        ("cases", "expectations"): ExpectationsTable,
        ("cases", "expectations", "calls"): CallTable,
        ("cases", "expectations", "io"): IoTable,
    },
    in_files=(("cases", "expectations", "calls"),),
)
