#!/bin/bash
# movielens_bpr.sh PROGRAM: it learns to rank, one seed gives the same numbers on one thread, it reads u.data, and it
# says in one line what is wrong with a file.
set -u
program=$1
source "${BASH_SOURCE[0]%/*}/checks.bash"

for optimizer in adagrad sgd; do
  rate=$([[ $optimizer == sgd ]] && echo 0.05 || echo 0.1)
  "$program" --threads 2 --optimizer $optimizer --learning-rate $rate > out 2> err || fail "with $optimizer: $(cat err)"
  tail -n 3 out
  at_least "$(tail -n 1 out | sed -n 's/^test AUC: //p')" 0.94 || fail "the test AUC with $optimizer is below 0.94"
done

for name in first second other; do
  "$program" --epochs 1 --threads 1 --seed $([[ $name == other ]] && echo 8 || echo 7) 2> err | grep AUC > $name
done
diff first second || fail "two runs of one seed differ"
! diff -q first other > /dev/null || fail "runs of two seeds do not differ"

for user in 1 2 3 4; do
  for item in 1 2 3 4 5; do printf '%d\t%d\t3\t881250949\n' $user $((item + user)); done
done > u.data
"$program" --epochs 1 --data u.data > out 2> err || fail "for a small u.data: $(cat err)"
grep -qF '4 users, 9 items, 16 interactions' out || { cat out err; fail "u.data is not read as it is"; }

refused no/such/file --data no/such/file
printf '1\tx\t3\t881250949\n' > letters
refused letters --data letters
printf '1\t1\t3\t0\n0\t1\t3\t0\n' > zero
refused zero --data zero
: > empty
refused empty --data empty
refused --batch --batch 0

strip -o stripped "$program" && echo "size of the stripped binary: $(wc -c < stripped) bytes"
exit $failed
