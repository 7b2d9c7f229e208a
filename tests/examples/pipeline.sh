#!/bin/bash
# pipeline.sh PROGRAM: a drawn log, logs by hand, and what is refused.
set -u
program=$1
source "${BASH_SOURCE[0]%/*}/checks.bash"

# sums "LINE|LINE" ARGUMENT...: the first two lines of the output; the third tells that reading waited.
sums() {
  local expected=$1
  shift
  runs "$@"
  [[ $(head -n 2 out | paste -sd'|') == "$expected" ]] || fail "$*: expected $expected"
  [[ $(tail -n 1 out) == "the slow store held reading up: at most 2 blocks were ahead of it" ]] ||
    fail "$*: not held up"
}

drawn='200000 requests in 100 windows, 2041 failed, 4 lines were malformed|the slowest took 20000 us, in second 5'
sums "$drawn"
sums "$drawn" --threads 1
sums "$drawn" --threads 8 --seed 1

cat > log << 'END'
0 / 200 150
999 /cart 503 7000
1000 /cart 200 90

1001 /cart 200
1002 /cart 200 90 more
3500 /pay 500 300
END
sums '4 requests in 3 windows, 2 failed, 3 lines were malformed|the slowest took 7000 us, in second 0' --log log
: > empty
sums '0 requests in 0 windows, 0 failed, 0 lines were malformed|the slowest took 0 us, in second 0' --log empty

refused 'missing: no such file, expected a log' --log missing
mkdir directory
"$program" --log directory > out 2> err
[[ $? == 1 && $(wc -l < err) == 1 ]] && grep -q directory err || fail "a directory: $(cat err)"
exit $failed
