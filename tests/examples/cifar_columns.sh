#!/bin/bash
# cifar_columns.sh PROGRAM CASE [ARGUMENT...]: one of the tests below.
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
  local speed
  speed=$(value 'mini-batches per second' out)
  [[ -n $speed ]] || fail "no line 'mini-batches per second: X'"
  at_least "$speed" 15 || echo "NOTE: $speed MINI-BATCHES PER SECOND, NO MORE THAN THE PAPER'S NETWORK"
  learns --columns 2 --skip
  learns --columns 4 --skip --threads 2
}

# grey N, bright N: so many bytes of 128, of 255.
grey() { head -c "$1" /dev/zero | tr '\0' '\200'; }
bright() { head -c "$1" /dev/zero | tr '\0' '\377'; }

# write_cifar COUNT: files in the format of "CIFAR-100 binary version": coarse label, fine label, 1024 bytes of red, of
# green, of blue. The coarse class is in the red, the fine one's number in the green; train.bin is plain, test.bin
# gzipped, and train.bin has COUNT images of each class.
write_cifar() {
  local fine coarse number
  mkdir cifar
  for fine in $(seq 0 99); do
    coarse=$((fine % 20)) number=$((fine / 20))
    printf "$(printf '\\x%02x\\x%02x' $coarse $fine)"
    grey $((50 * coarse)); bright 50; grey $((1024 - 50 - 50 * coarse))
    grey $((200 * number)); bright 200; grey $((1024 - 200 - 200 * number))
    grey 1024
  done > classes.bin
  for _ in $(seq "$1"); do cat classes.bin; done > cifar/train.bin
  gzip -c classes.bin > cifar/test.bin.gz
  [[ $(wc -c < cifar/train.bin) == $(($1 * 100 * 3074)) ]] || fail "train.bin is not in the format of CIFAR-100"
}

# A device learns as the host does: every image chooses its fine classifier by logits of the device.
test_opencl() {
  write_cifar 16
  local device
  for device in cpu opencl; do
    runs --data cifar --skip --epochs 4 --threads 1 --device $device
    sed -n '/^fine\|^coarse/p' out > $device
  done
  grep -q '^fine classifiers run: 100 of 2000$' opencl || fail "not one fine classifier for each test image"
  at_least "$(value 'coarse accuracy' opencl)" 50 || fail "coarse accuracy is below 50 %"
  diff cpu opencl || fail "the device reads and chooses otherwise than the host"
}

test_data() {
  write_cifar 32
  runs --data cifar --skip --epochs 8
  grep -q '^CIFAR-100 in cifar$' out || fail "it does not say where its images come from"
  at_least "$(value 'coarse accuracy' out)" 95 || fail "coarse accuracy is below 95 %"
  at_least "$(value 'fine accuracy' out)" 95 || fail "fine accuracy is below 95 %"
  grep -q '^fine classifiers run: 100 of 2000$' out || fail "not one fine classifier for each test image"
}

# Each cell of both tables is filled, the paper's figures beside.
test_tables() {
  runs --tables
  [[ $(grep -cE '^ +[124]( +[0-9]+\.[0-9] +\([0-9.]+\)){3}$' out) == 6 ]] || fail "the tables are not full"
  grep -qE '^ +4 .*\(2\.550\) .*\(3\.233\) .*\(3\.338\)$' out && grep -qE '\(14\.513\)$' out ||
    fail "the paper's figures are not beside"
}

test_bad_input() {
  helps --data --epochs --columns --skip --tables --learning-rate --device
  refused "no device 'nothing'" --device nothing
  refused --columns --columns 3
  # it measures with all of them
  for option in "--columns 2" "--threads 2" "--epochs 3" --skip; do
    # shellcheck disable=SC2086
    refused "${option%% *}" --tables $option
  done
  refused no/such/place --data no/such/place
  mkdir empty
  refused empty/train.bin --data empty
  head -c 3073 /dev/zero > empty/train.bin
  refused empty/train.bin --data empty
}

# Ranks take mini-batches of different coarse classes, so that each trains another fine classifier in a step.
test_distributed() {
  local mpirun=$1 ranks
  for ranks in 2 4; do
    on_ranks "$mpirun" $ranks --epochs $((3 * ranks)) --skip --threads 1 --learning-rate 0.02 --trace trace.json
    at_least "$(value 'coarse accuracy' out)" 85 || fail "coarse accuracy is below 85 %"
    [[ $(grep -c '^coarse accuracy' out) == 1 ]] || fail "more than one rank writes"
    one_trace_of $ranks trace.json
  done
}

"test_$case" "${@:3}"
exit $failed
