#!/bin/bash
# char_rnn.sh PROGRAM: what it foresees of the README gets far better than a guess by how frequent each letter is (3.5),
# it writes as many letters as it is asked for, the same for one seed, and says in one line what is wrong with a text.
set -u
program=$1
source "${BASH_SOURCE[0]%/*}/checks.bash"

"$program" --epochs 6 > out 2> err || fail "$(cat err)"
cat out
tail -n 1 out | awk '{ exit !($1 == "loss:" && $2 > 0 && $2 < 1) }' || fail "the loss is not below 1"

for i in $(seq 200); do printf 'abc '; done | gzip > abc.gz
for threads in 1 2; do
  "$program" --data abc.gz --epochs 1 --letters 40 --temperature 0.1 --threads $threads > $threads 2> err ||
    fail "$(cat err)"
done
diff 1 2 || fail "runs on one thread and on two differ"
expected=$(for i in $(seq 10); do printf 'abc '; done)
[[ $(sed -n 2p 1) == "$expected" ]] || { cat 1; fail "it has not learnt to write '$expected'"; }

refused no/such/text --data no/such/text
printf 'short' > short
refused short --data short
refused --temperature --temperature 0
exit $failed
