"""The options of `steelyard gate`: what each one is called and what its help says."""

from pathlib import Path
from typing import Annotated

import typer

from steelyard.model.verdict import Inconclusive

STAGES, RULE, AGAIN = "Several stages or looks", "Rule", "Drawing again, for --confirm"

Baseline = Annotated[
    str,
    typer.Option(metavar="REPORT", help="A report (JSON), a run or the name of a baseline, to compare with."),
]
Current = Annotated[str, typer.Option(metavar="REPORT", help="A report (JSON) or a run to judge.")]
Margin = Annotated[
    float, typer.Option(rich_help_panel=RULE, help="The smallest drop that matters; 0.05 is 5 points.")
]
Alpha = Annotated[
    float,
    typer.Option(rich_help_panel=RULE, help="The largest share of false alarms; 0.005 for nightly jobs."),
]
MaxErrorShare = Annotated[
    float, typer.Option(rich_help_panel=RULE, help="With more of our own errors than this, decide nothing.")
]
AllowMissing = Annotated[
    bool,
    typer.Option(
        "--allow-missing", rich_help_panel=RULE, help="Pass even if cases of the baseline are missing."
    ),
]
OnInconclusive = Annotated[
    Inconclusive | None,
    typer.Option(
        "--inconclusive",
        rich_help_panel=RULE,
        help="What an open verdict exits with: fail (1), or pass (0) for want of samples only; else 4.",
    ),
]
Confirm = Annotated[
    bool,
    typer.Option("--confirm", rich_help_panel=STAGES, help="Draw suspicious cases again, or say which."),
]
FreshBaseline = Annotated[
    str | None,
    typer.Option(
        metavar="REPORT", rich_help_panel=STAGES, help="The report of the cases drawn again, baseline."
    ),
]
FreshCurrent = Annotated[
    str | None,
    typer.Option(
        metavar="REPORT", rich_help_panel=STAGES, help="The report of the cases drawn again, current."
    ),
]
Look = Annotated[
    int | None, typer.Option(rich_help_panel=STAGES, help="Which of several planned looks this is, from 1.")
]
Looks = Annotated[int, typer.Option(rich_help_panel=STAGES, help="How many looks were planned.")]
Anytime = Annotated[
    bool,
    typer.Option("--anytime", rich_help_panel=STAGES, help="Judge single samples, as often as you like."),
]
Earlier = Annotated[
    str, typer.Option(rich_help_panel=STAGES, help="LOSSES,WINS of earlier rounds, for --anytime.")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", rich_help_panel=AGAIN, help="Providers; steelyard.toml if there."
    ),
]
BaselineConfig = Annotated[
    Path | None,
    typer.Option(metavar="FILE", rich_help_panel=AGAIN, help="How the baseline is asked, if otherwise."),
]
MaxUsd = Annotated[
    str | None, typer.Option(metavar="USD", rich_help_panel=AGAIN, help="The most that it may cost.")
]
SandboxName = Annotated[
    str, typer.Option("--sandbox", rich_help_panel=AGAIN, help="Where answers run: bubblewrap or oci.")
]
Unsafe = Annotated[
    bool,
    typer.Option("--unsafe-no-sandbox", rich_help_panel=AGAIN, help="Run answers without any sandbox."),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", rich_help_panel=AGAIN, help="Show no progress.")]
Format = Annotated[
    str, typer.Option("--format", envvar="STEELYARD_GATE_FORMAT", help="text, json, markdown, html or junit.")
]
Output = Annotated[
    list[Path],
    typer.Option(
        "--output",
        "-o",
        envvar="STEELYARD_GATE_OUTPUT",
        metavar="FILE",
        help="Also write a file; type by suffix; repeatable.",
        default_factory=list,
        show_default=False,
    ),
]
