#!/bin/sh
# lose_rank.sh HOW RANKS TEXT MPIRUN...: runs MPIRUN, which loses rank 1 of RANKS ranks, and passes if each other rank
# has printed a line with TEXT twice, and none has printed "value", within 60 s.
how=$1 ranks=$2 text=$3
shift 3
# Each rank but number 1 creates a file in this folder after it has printed its lines, and ends when all these ranks
# have created theirs.
LOST_RANK_ENDS=$(mktemp -d) && export LOST_RANK_ENDS || exit 1
trap 'rm -r "$LOST_RANK_ENDS"' EXIT
output=$(timeout 60 "$@" "$how" 2>&1)
code=$?
echo "$output"
[ "$code" -ne 124 ] || { echo "lose_rank.sh: the program hangs"; exit 1; }
expected=$((2 * (ranks - 1)))
got=$(echo "$output" | grep -c "^rank [0-9]*: .*$text")
[ "$got" -eq "$expected" ] || { echo "lose_rank.sh: got $got lines with '$text', expected $expected"; exit 1; }
! echo "$output" | grep -q ": value"
