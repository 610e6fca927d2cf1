"""What `steelyard` promises to export is there, and in order."""

import steelyard


def test_every_public_name_is_importable() -> None:
    missing = [name for name in steelyard.__all__ if not hasattr(steelyard, name)]

    assert not missing


def test_the_public_names_are_sorted_and_stand_once() -> None:
    assert steelyard.__all__ == sorted(set(steelyard.__all__))


def test_there_is_something_public() -> None:
    assert steelyard.__all__
