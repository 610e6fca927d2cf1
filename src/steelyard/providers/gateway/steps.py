"""Turn the record of a trial into steps, equal for all agents."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from steelyard.model.step import AGENT, SYSTEM, USER, Observation, Step
from steelyard.providers.gateway.dialogue import TOOL, Answer, Turn
from steelyard.providers.gateway.exchange import MALFORMED, PROTOCOLS, Exchange, read_body


def steps_of(exchanges: Iterable[Exchange]) -> tuple[Step, ...]:
    """Return the steps of a record.

    Each answer of a model is a step. What a request adds to earlier ones stands before it: new messages as
    steps, tool results as observations of the step that called the tool.
    """
    steps: list[Step] = []
    reader = _Reader()
    for exchange in exchanges:
        if exchange.is_answer:
            turns = _parse_turns(exchange)
            for call, result in reader.new_results(turns):
                _observe(steps, call, result)
            messages = reader.new_messages(turns)
            steps += [Step(source=turn.role, message=turn.text, at=exchange.at) for turn in messages]
            steps.append(_agent_step(exchange))
    return tuple(steps)


class _Reader:
    """Tells what is new in a request: agents send the whole conversation each time."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()
        self._calls: set[str] = set()

    def new_messages(self, turns: list[Turn]) -> Iterator[Turn]:
        """Yield system and user messages that occur more often than in every earlier request."""
        here: Counter[tuple[str, str]] = Counter()
        for turn in turns:
            if turn.role in {SYSTEM, USER}:
                here[turn.role, turn.text] += 1
                if here[turn.role, turn.text] > self._seen[turn.role, turn.text]:
                    yield turn
        self._seen |= here

    def new_results(self, turns: list[Turn]) -> Iterator[tuple[str, str]]:
        """Yield the id of a tool call and its result, once."""
        for turn in turns:
            if turn.role == TOOL and turn.call and turn.call not in self._calls:
                self._calls.add(turn.call)
                yield turn.call, turn.text


def _observe(steps: list[Step], call: str, result: str) -> None:
    """Add a tool's result to the last step that called it."""
    for index in reversed(range(len(steps))):
        if any(tool.id == call for tool in steps[index].tool_calls):
            observation = Observation(content=result, call=call)
            steps[index] = replace(steps[index], observations=(*steps[index].observations, observation))
            return


def _parse_turns(exchange: Exchange) -> list[Turn]:
    with suppress(*MALFORMED):
        return PROTOCOLS[exchange.protocol].parse_turns(exchange.request)
    return []


def _agent_step(exchange: Exchange) -> Step:
    answer = Answer(text="")
    with suppress(*MALFORMED):
        answer = PROTOCOLS[exchange.protocol].parse_answer(read_body(exchange))
    return Step(
        source=AGENT,
        message=answer.text,
        at=exchange.at,
        model=str(exchange.request.get("model", "")) or None,
        reasoning=answer.reasoning,
        tool_calls=answer.tool_calls,
        usage=exchange.usage,
        cost_nano_usd=exchange.cost_nano_usd,
        latency_us=exchange.latency_us,
    )
