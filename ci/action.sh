#!/usr/bin/env bash
# What the action runs: draw or score, then compare with the baseline. Its inputs come as variables.
# Also for the bash 3.2 of macOS, where an empty list counts as unset.
set -euo pipefail

steelyard=${STEELYARD:-steelyard}
# No process that runs answers or agents inherits the token.
token=${COMMENT_TOKEN:-}
unset COMMENT_TOKEN
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

# A misspelt word must not switch a safeguard off, and nothing is drawn before it is noticed.
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
if [[ -n ${OUTCOMES:-} ]]; then
    "$steelyard" import "${outcomes[@]}" --run "$current"
elif [[ -n ${EVAL_SET:-} ]]; then
    draw=(--eval-set "$EVAL_SET" --run "$current")
    if [[ -n ${MODELS:-} ]]; then draw+=(--models "$MODELS"); fi
    if [[ -n ${REPLAY:-} ]]; then draw+=(--replay "$REPLAY"); fi
    # A run that could not be finished ends the job here with its own code: half a run is not compared.
    "$steelyard" run "${draw[@]}" ${run_options[@]+"${run_options[@]}"} >/dev/null
fi

gate+=(--current "$current" --baseline "${BASELINE:-main}" --baselines "${BASELINES:-.steelyard/baselines}")
if [[ -n ${INCONCLUSIVE:-} ]]; then gate+=(--inconclusive "$INCONCLUSIVE"); fi
# Only here, where no answer and no agent runs, is the token at hand.
GITHUB_TOKEN=$token exec "$steelyard" ci "${gate[@]}" ${gate_options[@]+"${gate_options[@]}"}
