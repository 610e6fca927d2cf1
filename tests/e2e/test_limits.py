"""How many calls go to a service at a time is said by the command line, else by the configuration."""

import pytest

from tests.e2e.lab import Lab, numbered, small_set


@pytest.mark.parametrize(
    ("told", "words", "most"),
    [
        ("[limits]\nmax_concurrency = 2", (), 2),
        ("[limits]\nmax_concurrency = 2", ("--max-concurrency", "5"), 5),
        ("[limits]\nmax_concurrency = 7", ("--max-concurrency", "3"), 3),
    ],
)
def test_the_command_line_goes_before_the_configuration(
    lab: Lab, told: str, words: tuple[str, ...], most: int
) -> None:
    small_set(lab.folder, numbered(20))
    lab.configure("openai/m", more=told)
    lab.server.behaviour.delay_s = 0.1

    assert lab.run("--eval-set", "small.toml", *words).code == 0
    assert lab.server.seen.most_at_once == most
