"""Word the integrity of one sample."""

from steelyard.model.sample import SampleExcerpt
from steelyard.model.viewing import SampleView


def integrity_words(sample: SampleExcerpt | SampleView) -> str | None:
    """Return a sample's integrity, with counts of assertions where they are known."""
    if sample.integrity is None or sample.sealed_assertions is None or sample.open_assertions is None:
        return sample.integrity
    assertions = sample.sealed_assertions + sample.open_assertions
    return f"{sample.integrity}, {sample.sealed_assertions:,} of {assertions:,} assertions sealed"
