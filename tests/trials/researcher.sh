#!/bin/sh
# A researcher has outcome files of other people, in the shapes that those people liked.
. "$(dirname "$0")/common.sh"

# Semicolons and words are read as they are.
printf 'task;sample;ok\na;1;PASS\na;2;FAIL\nb;1;PASS\nb;2;PASS\n' > european.csv
ends 0 steelyard score european.csv --pass-k 1,2
expect shown "european passes 75 %"

# A shape that is not known is refused with the options that read it, and these options read it.
printf '{"sample_id": "a", "scores": {"verify": {"value": "C"}}}\n{"sample_id": "b", "scores": {"verify": {"value": "I"}}}\n' > nested.jsonl
ends 2 steelyard score nested.jsonl
options=$(sed -n 's/^Likely: //p' shown)
# shellcheck disable=SC2086  # several words
ends 0 steelyard score nested.jsonl $options
expect shown "nested passes 50 %"

# Counts, and a column for each model.
printf 'task,n,c\na,10,3\nb,10,10\n' > counts.csv
ends 0 steelyard pass-at-k counts.csv --k-values 1 5
expect shown "0.65"
printf 'task,gpt-4,claude-3\na,1,0\nb,1,1\n' > wide.csv
ends 0 steelyard score wide.csv --wide gpt-4,claude-3 --format json
expect shown '"claude-3"'

# Two files are compared as they are, and the command says which was which.
ends 0 steelyard compare --baseline counts.csv --current counts.csv
expect shown "baseline: counts.csv (outcomes)"
ends 0 steelyard plan --from counts.csv --drop 0.2
expect shown "from: counts.csv (outcomes)"
done_here
