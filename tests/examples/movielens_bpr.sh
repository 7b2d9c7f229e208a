#!/bin/bash
# movielens_bpr.sh PROGRAM [distributed MPIRUN]: it learns on several ranks or, without a case, it learns to rank, one
# seed gives the same numbers on one thread, it reads u.data, and it says in one line what is wrong with a file.
set -u
program=$1
source "${BASH_SOURCE[0]%/*}/checks.bash"

if [[ ${2:-} == distributed ]]; then
  for ranks in 2 4; do
    on_ranks "$3" $ranks --threads 1 --batch $((4096 / ranks)) --optimizer adagrad --epochs 12 --trace trace.json
    at_least "$(tail -n 1 out | sed -n 's/^test AUC: //p')" 0.9 || fail "the test AUC on $ranks ranks is below 0.9"
    [[ $(grep -c '^epoch 12: ' out) == 1 ]] || fail "more than one rank writes"
    one_trace_of $ranks trace.json
  done
  exit $failed
fi

for optimizer in adagrad sgd; do
  rate=$([[ $optimizer == sgd ]] && echo 0.05 || echo 0.1)
  "$program" --threads 2 --optimizer $optimizer --learning-rate $rate > out 2> err || fail "with $optimizer: $(cat err)"
  tail -n 3 out
  time=$(value 'milliseconds per epoch' out)
  [[ -n $time ]] || fail "no line 'milliseconds per epoch: X'"
  at_least 12 "$time" || echo "NOTE: AN EPOCH TOOK $time MS, expected at most 12 on 2 cores without other work"
  at_least "$(tail -n 1 out | sed -n 's/^test AUC: //p')" 0.94 || fail "the test AUC with $optimizer is below 0.94"
done

for name in first second other; do
  "$program" --epochs 1 --threads 1 --seed $([[ $name == other ]] && echo 8 || echo 7) 2> err | grep AUC > $name
done
diff first second || fail "two runs of one seed differ"
! diff -q first other > /dev/null || fail "runs of two seeds do not differ"

# A file in the format of MovieLens-100K's u.data and of its size, in no order: 943 users, 1682 items, 100,000 lines of
# user, item, rating and time, separated by tabs. Users with odd numbers like items with even ones.
awk 'BEGIN {
  srand(1)
  for (line = 0; line < 100000; ++line) {
    user = 1 + line % 943
    item = 1 + user % 2 + 2 * int(841 * rand() * rand())
    if (line == 941) item = 1682
    printf "%d\t%d\t%d\t%d\n", user, item, 1 + int(5 * rand()), 874724710 + int(1e7 * rand())
  }
}' | shuf --random-source=<(yes) > u.data
grep -qx "$(printf '943\t[0-9]*\t[1-5]\t8[0-9]*')" u.data || fail "the file is not in the format of u.data"
[[ $(wc -l < u.data) == 100000 ]] || fail "the file has $(wc -l < u.data) lines"
"$program" --epochs 4 --data u.data > out 2> err || fail "for a u.data: $(cat err)"
grep -qF 'u.data: 943 users, 1682 items, 80000 interactions for training, 20000 for the test' out ||
  { cat out err; fail "u.data is not read as it is"; }
gzip -k u.data
"$program" --epochs 4 --data u.data.gz --threads 1 > gzipped 2> err || fail "for a gzipped u.data: $(cat err)"
"$program" --epochs 4 --data u.data --threads 1 > plain 2> err || fail "for a plain u.data: $(cat err)"
diff <(grep AUC plain) <(grep AUC gzipped) || fail "a gzipped u.data gives something else"
at_least "$(sed -n 's/^test AUC: //p' plain)" 0.75 || { cat plain; fail "nothing is learnt of u.data"; }

refused no/such/file --data no/such/file
printf '1\tx\t3\t881250949\n' > letters
refused letters --data letters
printf '1\t1\t3\t0\n0\t1\t3\t0\n' > zero
refused zero --data zero
: > empty
refused empty --data empty
printf '1\t1\t3\t0\n10000000\t10000000\t3\t0\n' > large
refused 'got 10000000 and 10000000, expected at most 100000000 pairs' --data large
printf '1\t1\t3\t0\n2\t1\t3\t0\n1\t2\t3\t0\n2\t2\t3\t0\n' > tiny
refused 'the test: nothing can be ranked' --data tiny --epochs 1
refused --batch --batch 0

strip -o stripped "$program" && echo "size of the stripped binary: $(wc -c < stripped) bytes"
exit $failed
