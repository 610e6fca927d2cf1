"""The options of `steelyard run`: what each one is called and what its help says."""

from pathlib import Path
from typing import Annotated

import typer

ASKING, MONEY, CHECKING, RESULT = "Whom to ask, and how", "Money and limits", "Checking", "Result"

EvalSetPlace = Annotated[
    str | None,
    typer.Option("--eval-set", metavar="EVALSET", help="A TOML file, a folder of them, or a shipped set."),
]
Resume = Annotated[
    str | None, typer.Option(metavar="RUN", help="Go on with a run: a folder, or an address such as s3://….")
]
RunAddress = Annotated[
    str | None,
    typer.Option("--run", metavar="ADDRESS", help="Where the run is kept; by default a new folder in runs/."),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Providers, prices and defaults; steelyard.toml if there."),
]

Models = Annotated[
    str | None,
    typer.Option(rich_help_panel=ASKING, help="Models as provider/name, separated by commas."),
]
Tiers = Annotated[
    str | None, typer.Option(rich_help_panel=ASKING, help="Tiers of the set; all of them by default.")
]
Judges = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=ASKING, help="Models that judge the answers, separated by commas; as [judge] models."
    ),
]
BaselineTier = Annotated[
    str, typer.Option(rich_help_panel=RESULT, help="The tier that uplifts refer to in the report.")
]
ExpertUsd = Annotated[
    str | None,
    typer.Option(
        "--expert-usd",
        metavar="USD",
        rich_help_panel=RESULT,
        help="What an expert takes for a case, to cap the frontier cost of pass.",
    ),
]
Samples = Annotated[
    int | None,
    typer.Option(min=1, rich_help_panel=ASKING, help="Answers to each case; by default the largest k."),
]
PassK = Annotated[str, typer.Option(rich_help_panel=ASKING, help="The k of pass@k, such as 1,5.")]
Temperature = Annotated[
    float | None, typer.Option(min=0, max=2, rich_help_panel=ASKING, help="The sampling temperature.")
]
TopP = Annotated[
    float | None,
    typer.Option("--top-p", min=0, max=1, rich_help_panel=ASKING, help="The share of tokens drawn from."),
]
MaxTokens = Annotated[
    int | None, typer.Option(min=1, rich_help_panel=ASKING, help="The longest answer, in tokens.")
]
Seed = Annotated[
    int | None, typer.Option(min=0, rich_help_panel=ASKING, help="Where randomness begins; + attempt.")
]
Replay = Annotated[
    str | None,
    typer.Option(metavar="FILE", rich_help_panel=ASKING, help="Take recorded answers and ask nobody."),
]

MaxUsd = Annotated[
    str | None, typer.Option(metavar="USD", rich_help_panel=MONEY, help="The most that the run may cost.")
]
PriceOf = Annotated[
    list[str],
    typer.Option(
        "--price",
        metavar="MODEL=IN/OUT",
        rich_help_panel=MONEY,
        help="USD for a million tokens, such as ollama/llama=0/0; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
AllowUnpriced = Annotated[
    bool,
    typer.Option("--allow-unpriced", rich_help_panel=MONEY, help="Ask models of unknown price too."),
]
MaxConcurrency = Annotated[
    int | None, typer.Option(min=1, rich_help_panel=MONEY, help="Calls of one provider at a time, at most.")
]
RetryCount = Annotated[
    int | None,
    typer.Option("--retries", min=0, rich_help_panel=MONEY, help="How often a failed call is repeated."),
]

EngineName = Annotated[
    str, typer.Option("--engine", rich_help_panel=CHECKING, help="Who works: local, or ray for a cluster.")
]
Threads = Annotated[
    int | None,
    typer.Option(min=1, rich_help_panel=CHECKING, help="Checks at a time; by default one for each core."),
]
SandboxName = Annotated[
    str, typer.Option("--sandbox", rich_help_panel=CHECKING, help="Where answers run: bubblewrap or oci.")
]
Unsafe = Annotated[
    bool,
    typer.Option("--unsafe-no-sandbox", rich_help_panel=CHECKING, help="Run answers without any sandbox."),
]
CheckEach = Annotated[
    bool,
    typer.Option("--check-each", rich_help_panel=CHECKING, help="Check equal answers each time anew."),
]

Output = Annotated[
    list[Path],
    typer.Option(
        "--output",
        "-o",
        envvar="STEELYARD_RUN_OUTPUT",
        metavar="FILE",
        rich_help_panel=RESULT,
        help="Also write the report to a file; type by suffix; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
Format = Annotated[
    str,
    typer.Option("--format", envvar="STEELYARD_RUN_FORMAT", rich_help_panel=RESULT, help="As of `report`."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", rich_help_panel=RESULT, help="Show no progress.")]
