#!/bin/bash
# cifar_columns.sh PROGRAM CASE: one of the tests below.
set -u
program=$1
case=$2
source "${BASH_SOURCE[0]%/*}/checks.bash"

# learns OPTION...: it learns painted images, and each test image has run one fine classifier.
learns() {
  runs --epochs 6 "$@"
  at_least "$(value 'coarse accuracy' out)" 90 || fail "coarse accuracy is below 90 %"
  at_least "$(value 'fine accuracy' out)" 60 || fail "fine accuracy is below 60 %"
  grep -q '^fine classifiers run: 1000 of 20000$' out || fail "not one fine classifier for each test image"
}

# On one thread the same seed gives the same numbers.
test_synthetic() {
  learns --skip --threads 1
  sed -n '/^fine\|^coarse/p' out > first
  learns --skip --threads 1
  sed -n '/^fine\|^coarse/p' out | diff first - || fail "two runs of one seed differ"
}

test_columns() {
  learns --columns 1
  at_least "$(value 'mini-batches per second' out)" 15 || fail "it is no faster than the paper's network"
  learns --columns 2 --skip
  learns --columns 4 --skip --threads 2
}

# Each cell of both tables is filled.
test_tables() {
  runs --tables
  [[ $(grep -cE '^ +[124]( +[0-9]+\.[0-9] +\([0-9.]+\)){3}$' out) == 6 ]] || fail "the tables are not full"
}

test_bad_input() {
  helps --data --epochs --columns --skip --tables --learning-rate
  refused --columns --columns 3
  refused no/such/place --data no/such/place
  mkdir empty
  refused empty/train.bin --data empty
  head -c 3073 /dev/zero > empty/train.bin
  refused empty/train.bin --data empty
}

"test_$case"
exit $failed
