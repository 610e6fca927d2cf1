"""How a run is executed: providers, prices, limits, engine, sandbox.

Nothing here affects answers or scores.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from steelyard.model.config import Config, ProviderSettings
from steelyard.model.price import Price
from steelyard.ports import Provider
from steelyard.providers.limiter import MOST
from steelyard.providers.prices.price_list import PriceList
from steelyard.providers.replay import ReplayProvider
from steelyard.runner.check.sandboxes import DEFAULT
from steelyard.runner.generate.retries import Retries
from steelyard.sources.answers.read import Answers


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a run is executed; `RunSettings.of` merges arguments and configuration."""

    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    instead: Provider | None = None  # replaces all providers, such as a recording
    prices: PriceList = field(default_factory=PriceList)
    max_nano_usd: int | None = None  # None: no cap
    allow_unpriced: bool = False
    retries: Retries = field(default_factory=Retries)
    max_concurrency: int = MOST  # calls of one provider at a time
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)  # checks at a time
    engine: str = "local"
    sandbox: str = DEFAULT
    allow_unsafe: bool = False
    share: bool = True  # whether equal answers to one case are checked once
    check_references: bool = True  # before anything is generated
    skip_broken: bool = False  # whether cases are excluded whose reference fails

    @classmethod
    def of(  # noqa: PLR0913  # one parameter for each setting
        cls,
        config: Config,
        *,
        recorded: Answers | None = None,
        prices: Sequence[Price] = (),
        max_nano_usd: int | None = None,
        allow_unpriced: bool = False,
        retries: int | None = None,
        max_concurrency: int | None = None,
        threads: int | None = None,
        engine: str = "local",
        sandbox: str = DEFAULT,
        allow_unsafe: bool = False,
        share: bool = True,
        check_references: bool = True,
        skip_broken: bool = False,
    ) -> "RunSettings":
        """Merge the arguments, the configuration and the defaults, in this order."""
        limits = config.limits
        cap = limits.max_nano_usd if max_nano_usd is None else max_nano_usd
        return cls(
            providers=config.providers,
            instead=None if recorded is None else ReplayProvider(recorded.find, where=str(recorded.path)),
            prices=PriceList((*prices, *config.prices), providers=config.providers),
            # Recorded answers cost nothing now, judges' replies included.
            max_nano_usd=cap if recorded is None else None,
            allow_unpriced=allow_unpriced,
            retries=Retries(most=limits.retries if retries is None else retries),
            max_concurrency=max_concurrency or limits.max_concurrency or MOST,
            threads=threads or os.cpu_count() or 1,
            engine=engine,
            sandbox=sandbox,
            allow_unsafe=allow_unsafe,
            share=share,
            check_references=check_references,
            skip_broken=skip_broken,
        )
