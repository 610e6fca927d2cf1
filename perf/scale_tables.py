"""Write the figures of the page on scale from what the benchmarks measured.

The page asks for some with `<!-- figures of the report -->`; everything up to `<!-- end of figures -->` is
ours. Nothing is measured here: `--keep` of the benchmarks leaves the data among the pages.
Run: python -m perf.scale_tables
"""

import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from perf.view_scale import GOALS
from scripts.measured_at import DATA, caption

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "scale.md"
MARKED = re.compile(
    r"(?<=<!-- figures of )(?P<name>[\w ]+?)(?P<open> -->\n\n).*?(?=<!-- end of figures -->)", re.DOTALL
)
SIDES = {
    "bare": "DuckDB alone",
    "report": "**`steelyard report`**",
    "polars": "Polars, streaming",
    "pyspark": "PySpark, local",
    "raydata": "Ray Data, Arrow in each block",
    "ray": "**`steelyard report --engine ray`**",
}
RUNNING = {
    "bare": "a loop that looks up and checks",
    "commits": "the same, and commits",
    "local": "**`steelyard run`**",
    "ray": "**`steelyard run --engine ray`**",
}
VIEWER_SIZES = ("100000", "1000000")
VIEWERS = {"steelyard": "**`steelyard view`**", "inspect": "Inspect View", "promptfoo": "promptfoo"}
FORMS = {"finished": "finished", "unfinished": "unfinished"}
LARGEST_FILE = 256 * 2**20
GIB = 2**30
MINUTE_S = 60
CORES = (2, 16, 64, 256)
SIZES = {10**8: "10^8", 10**9: "10^9", 10**10: "10^10"}

Figures = dict[str, Any]


def main() -> int:
    """Write the page again."""
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def with_figures(text: str) -> str:
    """Return the page with fresh figures."""
    return MARKED.sub(
        lambda found: f"{found['name']}{found['open']}{_table_with_caption(found['name'])}\n\n", text
    )


def _table_with_caption(name: str) -> str:
    return f"{TABLES[name]()}\n\n{caption(*SOURCES[name])}"


def report_table() -> str:
    """Return what a report takes, beside engines that only add up."""
    rows = []
    for name, told in SIDES.items():
        cells = [told]
        for size in _read("run-store")["sizes"]:
            side, bare = size["sides"].get(name), size["sides"]["bare"]
            cells += (
                [
                    f"{side['seconds']:.1f} s",
                    f"{side['cpu_seconds']:.1f} s",
                    f"{side['cpu_seconds'] / bare['cpu_seconds']:.2f}",
                    f"{side['peak_mib']:,}",
                ]
                if side
                else ["not measured" if name not in size["sides"] else "not in time"] * 4
            )
        rows.append(cells)
    sizes = [f"{size['outcomes']:,}" for size in _read("run-store")["sizes"]]
    head = ["", *(f"{size}: {what}" for size in sizes for what in ("time", "processor", "ratio", "MiB"))]
    return _table(head, rows)


def looking_table() -> str:
    """Return what a viewer and a resumed run wait for."""
    data = _read("open-run")
    rows = [
        [
            told,
            f"{data[form]['rows']:,}",
            f"{data[form]['files']:,}",
            *(f"{data[form][f'{what}_s']:.3f} s" for what in ("open", "summary", "page", "everything")),
            f"{data[form]['resume_s']:.2f} s",
            f"{data[form]['resume_mib']:,} MiB",
        ]
        for form, told in FORMS.items()
    ]
    head = ["run", "samples", "files", "open", "summary", "a page", "read it all", "what is left", "memory"]
    return _table(head, rows)


def viewing_table() -> str:
    """Return what a reader of a large run waits for."""
    data = _read("view")
    rows = [
        [
            what,
            *(f"{data[what][name]:.2f} s" for name in ("median_s", "p95_s")),
            f"{data[what]['processor_s']:.2f} s",
            f"{data[what]['requests']:,}",
        ]
        for what in GOALS
    ]
    return _table(["", "median", "95 of 100 within", "processor of the server", "requests"], rows)


def viewers_table() -> str:
    """Return what three viewers take for the same number of answers."""
    found = _read("viewers")["viewers"]
    rows = [
        [VIEWERS[name], f"{int(size):,}", *_cells(figures)]
        for name in found
        for size, figures in found[name].items()
        if size in VIEWER_SIZES
    ]
    return _table(["viewer", "samples", "list", "a sample", "server", "page"], rows)


def _cells(figures: Figures) -> list[str]:
    if "list_s" not in figures:
        return ["not in a minute", "", "", ""]
    sample = f"{figures['sample_s']:.2f} s" if "sample_s" in figures else "in the list"
    return [
        f"{figures['list_s']:.2f} s",
        sample,
        f"{figures['server_mib']:,} MiB",
        f"{figures['page_mib']:,} MiB",
    ]


def slopes_table() -> str:
    """Return the slopes that everything else follows from."""
    slopes = _slopes()
    looked = _read("open-run")
    rows = [
        ["stored, an outcome", f"{slopes['bytes']:.1f} bytes"],
        ["of it read for a report", f"{slopes['bytes_read']:.1f} bytes"],
        ["stored, a sample with an answer of 2 KB", f"{looked['finished']['bytes_per_sample']:,} bytes"],
        ["counted, a core", f"{slopes['rows_per_core_s'] / 1e6:.1f} million outcomes a second"],
        ["the same with Ray's tasks, a core", f"{slopes['ray_rows_per_core_s'] / 1e6:.1f} million a second"],
        [
            "read from storage meanwhile, a core",
            f"{slopes['bytes_read'] * slopes['ray_rows_per_core_s'] / 1e6:.0f} MB/s",
        ],
        ["statistics, one core", f"{looked['statistics']['us_per_case']:.0f} µs a case"],
        [
            "a commit",
            f"{looked['writing']['commit_ms']:.0f} ms for {looked['writing']['rows_per_commit']} answers",
        ],
        ["memory from 10^7 to 10^8 outcomes", f"{slopes['memory']:.2f} times as much"],
    ]
    return _table(["", "measured"], rows)


def forecast_table() -> str:
    """Return what larger runs need, by the slopes."""
    slopes = _slopes()
    rows = []
    for outcomes, told in SIZES.items():
        stored, read = outcomes * slopes["bytes"], outcomes * slopes["bytes_read"]
        files = math.ceil(stored / LARGEST_FILE)
        rows.append(
            [
                told,
                f"{stored / GIB:,.1f} GiB",
                f"{files:,}",
                f"{read / GIB:,.1f} GiB",
                *(_duration(outcomes / slopes["ray_rows_per_core_s"] / min(cores, files)) for cores in CORES),
            ]
        )
    head = ["outcomes", "stored", "files", "read", *(f"{cores} cores" for cores in CORES)]
    return _table(head, rows)


def running_table() -> str:
    """Return what the runner takes for each sample, beside bare loops that do the same work."""
    sides = _read("runner")["sides"]
    rows = [
        [
            told,
            f"{sides[name]['samples']:,}",
            f"{sides[name]['per_s']:,}",
            f"{sides[name]['cpu_us_per_sample']:.0f} µs",
            f"{sides[name]['cpu_us_per_sample'] / sides['bare']['cpu_us_per_sample']:.2f}",
            f"{sides[name]['cpu_us_per_sample'] / sides['commits']['cpu_us_per_sample']:.2f}",
        ]
        for name, told in RUNNING.items()
    ]
    head = ["", "samples", "a second", "processor, each", "to the loop", "to the loop that commits"]
    return _table(head, rows)


def calls_table() -> str:
    """Return what many slow calls at once take."""
    calls = _read("runner")["sides"]["calls"]
    rows = [
        ["calls", f"{calls['samples']:,}"],
        ["under way at once, at most", f"{calls['most_in_flight']:,}"],
        ["at once at the service, by its own log", f"{calls['most_at_the_server']:,}"],
        ["asked, by the same log", f"{calls['calls_at_the_server']:,}"],
        ["ended in an error", f"{calls['errors']:,}"],
        ["time", f"{calls['seconds']:.0f} s"],
        ["processor, each", f"{calls['cpu_us_per_sample'] / 1000:.1f} ms"],
        ["memory at most", f"{calls['peak_mib']:,} MiB"],
    ]
    return _table(["", "measured"], rows)


def workers_table() -> str:
    """Return what is predicted for more workers than there are here."""
    rows = [
        [
            f"{size['workers']:,}",
            f"{size['per_second']:,.0f}",
            f"{size['driver_load']:.0%}",
            f"{size['commits_per_s']:.1f}",
            f"{size['requests_per_s']:.0f}",
            size["saturates"],
        ]
        for size in _read("simulated-size")["sizes"]
    ]
    head = ["workers", "samples a second", "driver's load", "commits a second", "requests a second", "limit"]
    return _table(head, rows)


def _slopes() -> dict[str, float]:
    """Return differences between the two sizes over differences in rows, so that start-up cancels out."""
    small, large = _read("run-store")["sizes"]
    more = large["outcomes"] - small["outcomes"]

    def rows_per_core_s(side: str) -> float:
        seconds = float(large["sides"][side]["cpu_seconds"]) - float(small["sides"][side]["cpu_seconds"])
        return float(more) / seconds

    return {
        "bytes": large["bytes_per_outcome"],
        "bytes_read": large["bytes_read_per_outcome"],
        "rows_per_core_s": rows_per_core_s("report"),
        "ray_rows_per_core_s": rows_per_core_s("ray"),
        "memory": large["sides"]["report"]["peak_mib"] / small["sides"]["report"]["peak_mib"],
    }


def _duration(seconds: float) -> str:
    if seconds >= 2 * MINUTE_S:
        return f"{seconds / MINUTE_S:.0f} min"
    return f"{seconds:.2g} s" if seconds < MINUTE_S else f"{seconds:.0f} s"


def _read(name: str) -> Figures:
    found: Figures = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))


TABLES: dict[str, Callable[[], str]] = {
    "the report": report_table,
    "looking at a run": looking_table,
    "the viewer": viewing_table,
    "three viewers": viewers_table,
    "the slopes": slopes_table,
    "larger runs": forecast_table,
    "running": running_table,
    "calls at once": calls_table,
    "many workers": workers_table,
}

# The files of data behind each table.
SOURCES = {
    "the report": ("run-store",),
    "looking at a run": ("open-run",),
    "the viewer": ("view",),
    "three viewers": ("viewers",),
    "the slopes": ("run-store", "open-run"),
    "larger runs": ("run-store",),
    "running": ("runner",),
    "calls at once": ("runner",),
    "many workers": ("simulated-size",),
}

if __name__ == "__main__":
    sys.exit(main())
