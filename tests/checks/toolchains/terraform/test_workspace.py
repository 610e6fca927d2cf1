"""Files of an answer go where the answer means them to go."""

import pytest

from steelyard.checks.extraction.extract import Extracted, Means
from steelyard.checks.toolchains.terraform.workspace import Workspace, placed


@pytest.mark.parametrize(
    ("target", "names", "expected"),
    [
        ("main.tf", ["main.tf", "modules/net/main.tf"], ["main.tf", "modules/net/main.tf"]),
        ("main.tf", ["modules/net/main.tf", "main.tf"], ["modules/net/main.tf", "main.tf"]),
        ("main.tf", ["shop/main.tf", "shop/modules/net/main.tf"], ["main.tf", "shop/modules/net/main.tf"]),
        ("main.tf", ["shop/main.tf"], ["main.tf"]),
        ("main.tf", ["there/main.tf"], ["there/main.tf"]),
        ("live/main.tf", ["main.tf"], ["live/main.tf"]),
        ("live/main.tf", ["main.tf", "live/main.tf"], ["main.tf", "live/main.tf"]),
        ("live/main.tf", ["main.tf", "net.tf"], ["live/main.tf", "live/net.tf"]),
    ],
)
def test_a_name_means_the_target_only_if_no_other_one_does(
    target: str, names: list[str], expected: list[str]
) -> None:
    files = {name: f"# {name}\n" for name in names}
    workspace = Workspace(files={target: b"", "there/main.tf": b""}, target=target)

    found = placed(Extracted(code=files[names[0]], files=files, means=Means.FILES), workspace)

    assert found == {place: files[name] for place, name in zip(expected, names, strict=True)}
