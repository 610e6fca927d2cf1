"""Say what `steelyard.toml` may hold: every table, every key, what it means and which values it takes."""

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from steelyard.model.config import MOST_SECONDS, RETRIES
from steelyard.sources.toml.problems import ANY_NAME
from steelyard.sources.toml.tables import TomlForm
from steelyard.sources.toml.text import Setting
from steelyard.sources.toml.types import Id, NotNegative, Positive, doc

Usd = Annotated[float, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTable:
    """How a provider is reached. Its name is what the names of its models begin with."""

    kind: Id | None = field(
        default=None,
        metadata=doc("Which adapter speaks to it, such as `openai`; by default the name itself."),
    )
    base_url: Id | None = field(
        default=None, metadata=doc("Where it is, if it is not where the vendor's own service is.")
    )
    api_key_env: str | None = field(  # its form is checked later, without showing it
        default=None,
        metadata=doc("The environment variable that holds the key; never the key itself."),
    )
    timeout_secs: Annotated[float, Field(gt=0)] = field(
        default=MOST_SECONDS, metadata=doc("How many seconds one call may take.")
    )
    max_concurrency: Positive | None = field(default=None, metadata=doc("The most calls at the same time."))
    options: dict[str, Setting] = field(
        default_factory=dict, metadata=doc("What only one kind of provider knows, such as a command.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """What a model costs: US dollars for a million tokens. It wins over the price list that is built in."""

    model: Id = field(metadata=doc("`provider/name`, or `provider/*` for all models of a provider."))
    input: Usd = field(metadata=doc("A million tokens of the prompt."))
    output: Usd = field(metadata=doc("A million tokens of the answer, with reasoning."))
    cached: Usd | None = field(
        default=None,
        metadata=doc("A million tokens of the prompt that come from a cache; by default as `input`."),
    )
    cache_write: Usd | None = field(
        default=None,
        metadata=doc("A million tokens of the prompt that go into a cache; by default as `input`."),
    )
    reasoning: Usd | None = field(
        default=None, metadata=doc("A million tokens of reasoning; by default as `output`.")
    )
    call: Usd = field(default=0.0, metadata=doc("Each call, in US dollars, whatever its tokens."))
    from_: Annotated[date | None, Field(alias="from")] = field(
        default=None, metadata=doc("The first day on which the price holds (UTC).")
    )
    until: date | None = field(default=None, metadata=doc("The first day on which it no longer holds (UTC)."))
    max_tokens: Positive | None = field(
        default=None,
        metadata=doc("The longest answer of the model, for what is set aside before a call."),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsTable:
    """What a run may use; the command line may say otherwise."""

    max_usd: Usd | None = field(default=None, metadata=doc("What a run may cost at most, in US dollars."))
    max_concurrency: Positive | None = field(
        default=None, metadata=doc("The most calls at the same time to one provider.")
    )
    retries: NotNegative = field(
        default=RETRIES, metadata=doc("How often a call is repeated that a provider could not answer.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """How runs are carried out."""

    out: Id = field(
        default="runs", metadata=doc("Where runs are kept: a folder, or a place in an object store.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequireTable:
    """What must not get worse, where, and by how much."""

    metric: Literal["pass", "score", "cost", "latency", "refusals"] = field(
        metadata=doc(
            "What must not get worse: `pass`, `score`, `cost`, `latency` or `refusals`; "
            "of the last three more is worse."
        )
    )
    suites: tuple[Id, ...] = field(default=(), metadata=doc("Where; by default in all suites together."))
    margin: Annotated[float, Field(gt=0)] | None = field(
        default=None,
        metadata=doc(
            "By how much: 0.05 is five points of passes, scores or refusals, five percent of cost or "
            "latency; by default that of `--margin`."
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GateTable:
    """What `steelyard gate` and `steelyard ci` require."""

    require: tuple[RequireTable, ...] = field(
        default=(), metadata=doc("What must not get worse; by default passes and scores, in all suites.")
    )
    critical: tuple[Id, ...] = field(
        default=(),
        metadata=doc("Cases of which no sample may fail, each `case` or `suite/case`."),
    )
    history: NotNegative = field(
        default=0, metadata=doc("How many of the last kept baselines are judged against as well.")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """What holds for all runs."""

    models: tuple[Id, ...] = field(
        default=(), metadata=doc("The models to use when neither command line nor eval set names any.")
    )
    providers: dict[str, ProviderTable] = field(
        default_factory=dict, metadata=doc("How providers are reached, by name.")
    )
    prices: tuple[PriceTable, ...] = field(default=(), metadata=doc("What models cost."))
    limits: LimitsTable = field(default_factory=LimitsTable, metadata=doc("What a run may use."))
    run: RunTable = field(default_factory=RunTable, metadata=doc("How runs are carried out."))
    gate: GateTable = field(default_factory=GateTable, metadata=doc("What a gate requires."))


FORM = TomlForm(
    title="Steelyard configuration",
    shape=ConfigFile,
    tables={
        (): ConfigFile,
        ("providers", ANY_NAME): ProviderTable,
        ("prices",): PriceTable,
        ("limits",): LimitsTable,
        ("run",): RunTable,
        ("gate",): GateTable,
        ("gate", "require"): RequireTable,
    },
    dated=frozenset({"prices"}),
)
