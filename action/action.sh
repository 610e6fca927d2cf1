#!/usr/bin/env bash
# What the action runs: first `action.sh generate`, which runs or imports what is to be judged, then `action.sh gate`,
# which compares it with the baseline. Only the second is given COMMENT_TOKEN: whatever runs in the first could read
# it in /proc. The inputs come as variables.
# Also for the bash 3.2 of macOS, where an empty list counts as unset.
set -euo pipefail

steelyard=${STEELYARD:-steelyard}
stage=${1:-}
if [[ $stage != generate && $stage != gate ]]; then
    echo "error: usage: action.sh generate | gate" >&2
    exit 2
fi
# Inputs may have several lines.
read -r -d '' -a run_options <<<"${RUN_OPTIONS:-}" || true
read -r -d '' -a gate_options <<<"${GATE_OPTIONS:-}" || true
read -r -d '' -a outcomes <<<"${OUTCOMES:-}" || true

given=0
for input in "${CURRENT:-}" "${OUTCOMES:-}" "${EVAL_SET:-}"; do
    if [[ -n $input ]]; then given=$((given + 1)); fi
done
if ((given != 1)); then
    echo "error: the action needs one of the inputs eval-set, outcomes and current" >&2
    exit 2
fi

# A misspelt word must not switch a safeguard off, and nothing is generated before it is noticed.
switch() { # INPUT VALUE OPTION
    case $2 in
        true) gate+=("$3") ;;
        false | "") ;;
        *)
            echo "error: the input $1 must be true or false, not '$2'" >&2
            exit 2
            ;;
    esac
}
gate=()
switch keep "${KEEP:-}" --keep
switch accept "${ACCEPT:-}" --accept
switch require-baseline "${REQUIRE_BASELINE:-}" --require-baseline
switch comment "${COMMENT:-}" --comment

current=${CURRENT:-.steelyard/run-$(date +%s)-$$}
if [[ $stage == gate ]]; then
    gate+=(--current "$current" --baseline "${BASELINE:-main}" --baselines "${BASELINES:-.steelyard/baselines}")
    if [[ -n ${INCONCLUSIVE:-} ]]; then gate+=(--inconclusive "$INCONCLUSIVE"); fi
    GITHUB_TOKEN=${COMMENT_TOKEN:-} exec env -u COMMENT_TOKEN "$steelyard" ci "${gate[@]}" ${gate_options[@]+"${gate_options[@]}"}
fi
if [[ -n ${OUTCOMES:-} ]]; then
    "$steelyard" import "${outcomes[@]}" --run "$current"
elif [[ -n ${EVAL_SET:-} ]]; then
    draw=(--eval-set "$EVAL_SET" --run "$current")
    if [[ -n ${MODELS:-} ]]; then draw+=(--models "$MODELS"); fi
    if [[ -n ${REPLAY:-} ]]; then draw+=(--replay "$REPLAY"); fi
    # A run that could not be finished ends the job here with its own code: half a run is not compared.
    "$steelyard" run "${draw[@]}" ${run_options[@]+"${run_options[@]}"} >/dev/null
fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then echo "current=$current" >>"$GITHUB_OUTPUT"; fi
