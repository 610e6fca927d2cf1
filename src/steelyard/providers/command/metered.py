"""Connect an agent to its model through a gateway, and take tokens and cost from there."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from steelyard.errors import UserError
from steelyard.model.request import Reply, Usage
from steelyard.providers.command.egress.allow_list import AllowList
from steelyard.providers.command.options import Agent

if TYPE_CHECKING:  # it needs an HTTP library, agents without a gateway need none
    from steelyard.providers.gateway.server import Gateway


def with_gateway(agent: Agent, gateway: "Gateway") -> Agent:
    """Return an agent that finds the gateway in its environment and may connect to it."""
    address = urlsplit(gateway.url)
    if address.port is None or address.hostname is None:
        raise UserError("an agent in a sandbox needs a gateway on a port, not on a socket")
    ports = {} if agent.network is None else agent.network.ports
    if ports is None:
        raise UserError("an agent with a gateway may reach listed hosts only: `network` cannot be true")
    own = ports.get(address.hostname, frozenset()) | {address.port}
    return replace(
        agent,
        env={**agent.env, **_variables(gateway.url, gateway.key)},
        network=AllowList({**ports, address.hostname: own}),
    )


def with_metered_cost(reply: Reply, gateway: "Gateway") -> Reply:
    """Return a reply with the tokens and the cost that passed the gateway."""
    usages = [exchange.usage for exchange in gateway.exchanges if exchange.is_answer]
    return replace(reply, usage=_sum_usages(usages), cost_nano_usd=gateway.cost_nano_usd)


def _variables(url: str, key: str) -> Mapping[str, str]:
    """Return the variables that agents and vendors' libraries read."""
    return {
        "ANTHROPIC_API_KEY": key,
        "ANTHROPIC_BASE_URL": url,
        "OPENAI_API_BASE": f"{url}/v1",
        "OPENAI_API_KEY": key,
        "OPENAI_BASE_URL": f"{url}/v1",
    }


def _sum_usages(usages: Sequence[Usage]) -> Usage:
    """Return the tokens of all answers; a count that one of them lacks is unknown."""
    counts = {item.name: [getattr(usage, item.name) for usage in usages] for item in fields(Usage)}
    return Usage(**{name: None if None in values else sum(values) for name, values in counts.items()})
