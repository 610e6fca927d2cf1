"""The check service: `steelyard serve` checks answers over HTTP, with the verdicts of `steelyard run`."""
