"""Run the simulations: `python -m perf.simulations coverage --quick`."""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from perf.simulations.bounds import bound_study
from perf.simulations.clusters import cluster_study
from perf.simulations.coverage import coverage_study
from perf.simulations.coverage_relatives import relatives_study
from perf.simulations.dependence import dependence_study
from perf.simulations.detection import detection_study
from perf.simulations.forms import form_study
from perf.simulations.frontier import frontier_study
from perf.simulations.gates import gate_study
from perf.simulations.page import page_study
from perf.simulations.ratios import ratio_study
from perf.simulations.sequential import sequential_study
from perf.simulations.stopping import stopping_study
from perf.simulations.study import Study, write
from perf.simulations.tiers import tier_study

Simulation = Callable[..., list[Study]]
SIMULATIONS: dict[str, tuple[Simulation, ...]] = {
    "coverage": (coverage_study, relatives_study),
    "gates": (gate_study,),
    "bounds": (bound_study,),
    "forms": (form_study,),
    "dependence": (dependence_study,),
    "clusters": (cluster_study,),
    "detection": (detection_study,),
    "sequential": (sequential_study,),
    "ratios": (ratio_study,),
    "stopping": (stopping_study,),
    "page": (page_study,),
    "tiers": (tier_study, frontier_study),
}
SEED = 20261115


def main(arguments: list[str] | None = None) -> None:
    """Parse the arguments, run what they name, and write what was found."""
    parser = argparse.ArgumentParser(prog="python -m perf.simulations", description=__doc__)
    parser.add_argument("which", nargs="?", choices=[*SIMULATIONS, "all"], default="all")
    parser.add_argument("--quick", action="store_true", help="fewer draws: minutes instead of hours")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, help="a Markdown file; the rows go to the .json beside it")
    chosen = parser.parse_args(arguments)
    names = list(SIMULATIONS) if chosen.which == "all" else [chosen.which]
    studies = [
        study
        for name in names
        for simulation in SIMULATIONS[name]
        for study in simulation(_generator(chosen.seed, simulation), quick=chosen.quick)
    ]
    write(studies, out=chosen.out, settings={"seed": chosen.seed, "quick": str(chosen.quick).lower()})


def _generator(seed: int, simulation: Simulation) -> np.random.Generator:
    """Return a stream of its own for each simulation, so that running one or all gives the same numbers."""
    return np.random.default_rng([seed, *simulation.__name__.encode()])


if __name__ == "__main__":
    main()
