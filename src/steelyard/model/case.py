"""Hold a task given to a model: the prompt, and how an answer is checked.

The modules in `sources/` read cases from files.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from steelyard.model.outcome import Classification
from steelyard.model.sample import text_digest


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A task given to a model."""

    id: str
    suite: str = "default"
    prompt: str = ""
    language: str  # which checker knows what to do with an answer
    timeout_s: float = 60.0
    dependencies: tuple[Dependency, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)  # written to the workspace with the answer
    expectations: Expectations = field(default_factory=Expectations)
    reference: str | None = None  # an answer that must pass
    wrong: tuple[str, ...] = ()  # answers that must fail
    name: str = ""  # for readers, like the next two
    description: str = ""
    tags: tuple[str, ...] = ()
    max_tokens: int | None = None  # of an answer; None: as the sampling plan says
    # How the check of a good answer ends: where refusing is right, `refusal`.
    expected: Classification = Classification.PASS

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
            "expectations": {
                **asdict(self.expectations),
                "settings": dict(self.expectations.settings),
            },
            "expected": self.expected,
        }
        return text_digest(json.dumps(form, sort_keys=True))
