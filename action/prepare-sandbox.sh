#!/usr/bin/env bash
# Make a hosted Linux machine ready to run answers in a sandbox.
set -euo pipefail

if ! command -v bwrap >/dev/null; then
    sudo apt-get update -qq
    sudo apt-get install -qq --yes --no-install-recommends bubblewrap
fi
# Ubuntu 24.04 forbids what every sandbox without privileges begins with.
if [[ -e /proc/sys/kernel/apparmor_restrict_unprivileged_userns ]]; then
    sudo sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0
fi
"${STEELYARD:-steelyard}" doctor
