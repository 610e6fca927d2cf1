import pytest
from scipy import special, stats

from steelyard.errors import DomainError
from steelyard.metrics.quantiles import gamma_quantile, normal_below, normal_quantile, t_quantile, two_sided


@pytest.mark.parametrize("level", [0, 1, -0.5, 95])
def test_a_level_outside_zero_and_one_is_refused(level: float) -> None:
    with pytest.raises(DomainError, match="between 0 and 1"):
        two_sided(level)


@pytest.mark.parametrize("probability", [1e-9, 0.025, 0.5, 0.975])
@pytest.mark.parametrize("freedom", [1, 2.5, 11, 1000])
def test_t_quantiles_agree_with_scipy_stats(probability: float, freedom: float) -> None:
    expected = stats.t.ppf(probability, freedom)

    assert t_quantile(probability, freedom=freedom) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_normal_tail_is_accurate_far_out() -> None:
    assert normal_below(-30) == pytest.approx(stats.norm.cdf(-30), rel=1e-12)
    assert normal_quantile(normal_below(-6)) == pytest.approx(-6, rel=1e-12)


@pytest.mark.parametrize("shape", [0.05, 1, 2.5, 78, 20_000])
@pytest.mark.parametrize("probability", [0.001, 0.05, 0.5, 0.95, 0.9999])
def test_gamma_quantiles_agree_with_scipy(shape: float, probability: float) -> None:
    expected = special.gammaincinv(shape, probability)

    assert gamma_quantile(probability, shape=shape) == pytest.approx(expected, rel=1e-8, abs=1e-12)


def test_with_very_many_degrees_of_freedom_t_is_nearly_normal() -> None:
    assert t_quantile(0.975, freedom=1e9) == pytest.approx(normal_quantile(0.975), rel=1e-8)
