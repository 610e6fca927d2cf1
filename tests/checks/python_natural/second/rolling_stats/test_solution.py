import numpy as np
import numpy.testing as npt
import pytest

from solution import one_hot, rolling_mean, zscore_outliers


@pytest.fixture
def rng():
    return np.random.default_rng(42)


class TestRollingMean:
    def test_small(self):
        npt.assert_allclose(rolling_mean([1, 2, 3, 4], 2), [1.5, 2.5, 3.5])

    def test_window_one_is_identity(self, rng):
        values = rng.normal(size=20)
        npt.assert_array_equal(rolling_mean(values, 1), values)

    def test_whole(self):
        result = rolling_mean([1, 2, 6], 3)
        assert result.shape == (1,)
        assert result[0] == pytest.approx(3.0)

    def test_same_as_loop(self, rng):
        values = rng.uniform(size=50)
        expected = [values[i : i + 7].mean() for i in range(44)]
        npt.assert_allclose(rolling_mean(values, 7), expected)

    def test_dtype(self):
        assert rolling_mean(np.array([1, 2], dtype=np.int8), 2).dtype == np.float64

    @pytest.mark.parametrize("window", [0, -1, 4])
    def test_bad_window(self, window):
        with pytest.raises(ValueError):
            rolling_mean([1, 2, 3], window)


class TestOutliers:
    def test_both_sides(self):
        values = np.array([10.0] * 50 + [1000.0] + [10.5] * 50 + [-1000.0])
        assert zscore_outliers(values).tolist() == [50, 101]

    def test_threshold(self):
        values = [0, 0, 0, 0, 10]  # mean 2, deviation 4: z = 2 for the last
        assert list(zscore_outliers(values, threshold=1.99)) == [4]
        assert list(zscore_outliers(values, threshold=2.0)) == []

    def test_constant(self):
        with np.errstate(all="raise"):
            assert len(zscore_outliers([5, 5, 5])) == 0

    def test_nan(self):
        values = [1.0, np.nan] + [1.0] * 30 + [99.0]
        assert zscore_outliers(values).tolist() == [32]

    def test_input_is_not_changed(self, rng):
        values = rng.normal(size=10)
        before = values.copy()
        zscore_outliers(values)
        assert np.array_equal(values, before)


class TestOneHot:
    def test_default_classes(self):
        npt.assert_array_equal(one_hot(["b", "a", "b"]), [[0, 1], [1, 0], [0, 1]])

    def test_given_classes(self):
        matrix = one_hot([2, 0], classes=[0, 1, 2])
        assert matrix.dtype == np.uint8
        assert matrix.tolist() == [[0, 0, 1], [1, 0, 0]]

    def test_each_row_has_one_one(self, rng):
        matrix = one_hot(rng.integers(0, 9, size=100))
        assert (matrix.sum(axis=1) == 1).all()

    def test_unknown_label(self):
        with pytest.raises(ValueError):
            one_hot([0, 3], classes=[0, 1, 2])
