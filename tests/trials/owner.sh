#!/bin/sh
# The owner of a platform wants baselines, a gate that can be trusted, and a CI job.
. "$(dirname "$0")/common.sh"

gate=$repository/examples/gate
ends 0 steelyard import "$gate/baseline.csv" --run runs/before
ends 0 steelyard import "$gate/clear-drop.csv" --run runs/after
ends 0 steelyard baseline set main runs/before
ends 0 steelyard runs --json
expect shown '"runs/'

# The same outcomes pass or stay open, a clear drop fails, and the command says what it compared.
ends 1 steelyard gate --baseline main --current runs/after -o verdict.html
expect shown "FAIL"
expect shown "baseline: main (kept from runs/before)"
expect shown "current: runs/after (run)"
expect verdict.html "<html"

# The CI job does the same, and writes its files.
ends 1 steelyard ci --current runs/after
expect steelyard-report/comment.md "FAIL"
done_here
