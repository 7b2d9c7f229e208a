#!/bin/bash
# fizzbuzz.sh PROGRAM: of the numbers from 1 to 100, on which it was not trained, each network has at least 99 right,
# and what it says is what it counts. Threads change nothing.
set -u
program=$1
source "${BASH_SOURCE[0]%/*}/checks.bash"

for network in lstm mlp; do
  runs --network $network --threads 2
  right=$(sed -n 's/^right: \([0-9]*\) of 100$/\1/p' out)
  said=$(sed '$d' out | tr ' ' '\n' | awk '
    { expected = (NR % 3 ? "" : "Fizz") (NR % 5 ? "" : "Buzz"); right += $0 == (expected == "" ? NR : expected) }
    END { print right }')
  [[ $right == "$said" ]] || fail "$said are right, and it says $right"
  at_least "$right" 99 || fail "$right are right, expected at least 99"
done

for threads in 1 2 5; do
  "$program" --epochs 2 --threads $threads > $threads 2> err || fail "$(cat err)"
done
diff 1 2 && diff 1 5 || fail "runs on one, two and five threads differ"

helps --epochs --network
refused --epochs --epochs 0
refused --network --network cnn
exit $failed
