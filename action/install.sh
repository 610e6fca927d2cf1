#!/usr/bin/env bash
# Install Steelyard from this checkout, with the locked versions of everything it needs.
# Usage: action/install.sh PYTHON [EXTRAS]   (the Python of the environment to install into; extras such as ray,view)
# No package is taken by the name `steelyard`: that name is not ours on the package index.
set -euo pipefail

python=$1
extras=${2:-}
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$python" -m pip install --quiet --require-hashes \
    -r "$source/requirements/user.lock" -r "$source/requirements/release.lock"
"$python" -m pip install --quiet --no-deps --no-build-isolation "$source"
if [[ -n $extras ]]; then
    # In the tested versions, without their hashes: pip takes no hashes in constraints.
    constraints=$(mktemp)
    sed -E '/^ +(--hash|#)/d; s/ *\\$//' "$source/requirements/dev.lock" > "$constraints"
    "$python" -m pip install --quiet --no-build-isolation --constraint "$constraints" "$source[$extras]"
    rm "$constraints"
fi
