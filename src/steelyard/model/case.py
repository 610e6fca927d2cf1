"""Hold a task given to a model: the prompt, and how an answer is checked.

The modules in `sources/` read cases from files.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from steelyard.languages.lookup import canonical_language
from steelyard.model.environment import Environment
from steelyard.model.graded import Compare, FunctionCall, InputOutput
from steelyard.model.outcome import Classification
from steelyard.model.sample import text_digest
from steelyard.model.task import Task

# Fields of Expectations that version 0.1 did not have.
ADDED_LATER = ("function", "calls", "io", "compare", "tolerance", "comparator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A library that an answer may use."""

    name: str
    version: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """What an answer must do. An empty field is not checked."""

    should_build: bool = True
    should_pass_tests: bool = True
    tests: str = ""  # the graded tests, in the case's language
    functions: tuple[str, ...] = ()  # names that the answer must define
    types: tuple[str, ...] = ()
    max_lint_warnings: int | None = None
    custom_check: str | None = None  # a shell command that gets the answer on its standard input
    # What belongs to one kind of check only, such as a recipe, a JSON Schema or a regular expression.
    settings: Mapping[str, str] = field(default_factory=dict)
    function: str = ""  # the function that `calls` are calls of
    calls: tuple[FunctionCall, ...] = ()
    io: tuple[InputOutput, ...] = ()
    compare: Compare | None = None  # None: `exact` for calls, `lines` for programs
    tolerance: float | None = None  # of floats, absolute and relative; None: they must be equal
    comparator: str = ""  # Python source, for Compare.PROGRAM

    @property
    def has_tests(self) -> bool:
        """Whether there are graded tests, in whichever form."""
        return bool(self.tests.strip() or self.calls or self.io)

    @property
    def demands_nothing(self) -> bool:
        """Whether every answer that builds would pass: no test, no name, no setting, no check of its own."""
        named = self.functions or self.types or self.settings or self.custom_check
        return not (self.has_tests or named) and self.should_build

    def form(self) -> dict[str, object]:
        """Return the fields for a digest; one added after version 0.1 only if set: old digests stay."""
        form: dict[str, object] = {item.name: getattr(self, item.name) for item in fields(self)}
        added = {name: form.pop(name) for name in ADDED_LATER}
        return {
            **form,
            "settings": dict(self.settings),
            **{name: _plain(value) for name, value in added.items() if value},
        }


def _plain(value: object) -> object:
    """Return a value as JSON can hold it."""
    return [item.form() for item in value] if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A task given to a model."""

    id: str
    suite: str = "default"
    prompt: str = ""
    language: str  # canonical: `js` becomes `javascript`
    timeout_s: float = 60.0
    dependencies: tuple[Dependency, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)  # written to the workspace with the answer
    expectations: Expectations = field(default_factory=Expectations)
    reference: str | None = None  # an answer that must pass
    wrong: tuple[str, ...] = ()  # answers that must fail
    name: str = ""  # for readers, like the next two
    description: str = ""
    tags: tuple[str, ...] = ()
    cluster: str = ""  # cases that are alike, such as variants of one task, share it; "": alone
    max_tokens: int | None = None  # of an answer; None: that of the sampling plan
    memory_mb: int | None = (
        None  # for the check of an answer, in MiB; None: as the checker does it by default
    )
    environment: Environment | None = None  # None: no packages, and any Python
    honeypot: bool = False  # no honest answer passes; a pass means that the answer fooled its check
    # How the check of a good answer ends: where refusing is right, `refusal`.
    expected: Classification = Classification.PASS
    task: Task | None = None  # for an agent in a container

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", canonical_language(self.language))

    @property
    def digest(self) -> str:
        """A name for the exact form of the case; names, descriptions and limits are not part of it.

        >>> case = Case(id="add", language="rust", prompt="Add two numbers.")
        >>> case.digest == Case(id="add", language="rust", prompt="Add two numbers.", tags=("sums",)).digest
        True
        >>> case.digest == Case(id="add", language="rust", prompt="Add three numbers.").digest
        False
        """
        form = {
            "prompt": self.prompt,
            "language": self.language,
            "files": dict(self.files),
            "dependencies": [asdict(dependency) for dependency in self.dependencies],
            "expectations": self.expectations.form(),
            "expected": self.expected,
        }
        # Only if set: cases of version 0.1 keep their digests.
        added: dict[str, object] = {"honeypot": True} if self.honeypot else {}
        added |= {} if self.task is None else {"task": self.task.digest}
        return text_digest(json.dumps({**form, **added, **environment_form(self)}, sort_keys=True))


def environment_form(case: Case) -> dict[str, object]:
    """Return the environment of a case for a digest, or nothing: cases without one keep their digests."""
    return {} if case.environment is None else {"environment": case.environment.form()}
