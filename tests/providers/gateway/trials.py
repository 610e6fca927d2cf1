"""Trials: an agent's calls through a gateway to a scripted service, over real sockets."""

import asyncio
import http.client
import json
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from steelyard.model.config import ProviderSettings
from steelyard.model.price import Price
from steelyard.providers.gateway.meter import Meter
from steelyard.providers.gateway.server import Gateway
from steelyard.providers.gateway.source import Source
from steelyard.providers.gateway.upstream import Upstream
from steelyard.providers.prices.price_list import PriceList

KEY = "sk-the-real-key-of-the-lab"
KEY_NAME = "STEELYARD_TEST_LAB_KEY"
PRICES = PriceList([Price(model="lab/m", input_usd=Decimal(1), output_usd=Decimal(10))])


@dataclass(frozen=True, kw_only=True)
class Got:
    """What an agent got."""

    status: int
    headers: Mapping[str, str]
    text: str
    is_cut: bool = False

    @property
    def body(self) -> Any:  # noqa: ANN401  # JSON
        return json.loads(self.text)


class ScriptedAgent:
    """Calls models as agents do, with its base URL and key."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def post(
        self, path: str, body: Mapping[str, Any], *, key: str = "", on_piece: Callable[[], None] | None = None
    ) -> Got:
        address = urlsplit(self._gateway.url)
        headers = {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {key or self._gateway.key}",
        }
        with closing(
            http.client.HTTPConnection(str(address.hostname), address.port, timeout=20)
        ) as connection:
            connection.request("POST", path, json.dumps(body), headers)
            response = connection.getresponse()
            text, is_cut = b"", False
            try:
                while piece := response.read1():
                    text += piece
                    if on_piece is not None:
                        on_piece()
            except http.client.IncompleteRead:
                is_cut = True
            sent = {name.lower(): value for name, value in response.getheaders()}
        return Got(status=response.status, headers=sent, text=text.decode(), is_cut=is_cut)


def upstream(url: str, *, kind: str = "openai") -> Upstream:
    """Return the service as a user configures it."""
    return Upstream(ProviderSettings(name="lab", kind=kind, base_url=url, api_key_env=KEY_NAME))


def run_trial(
    source: Source, act: Callable[[ScriptedAgent], object], record: Path, *, cap_nano_usd: int | None = None
) -> Gateway:
    """Let an agent act through a gateway, in a thread of its own."""

    async def run() -> Gateway:
        meter = Meter(PRICES, provider="lab", cap_nano_usd=cap_nano_usd)
        async with Gateway(source, meter, record=record) as gateway:
            await asyncio.to_thread(act, ScriptedAgent(gateway))
        return gateway

    return asyncio.run(run())
