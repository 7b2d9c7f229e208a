#!/bin/bash
# char_rnn.sh PROGRAM CASE: one of the tests below.
set -u
program=$1
case=$2
source "${BASH_SOURCE[0]%/*}/checks.bash"

# A text of one word.
write_abc() {
  for _ in $(seq 200); do printf 'abc '; done | gzip > abc.gz
}

# learns_abc FILE OPTION...: it learns that text, and writes it on, to the file.
learns_abc() {
  local file=$1 expected
  shift
  "$program" --data abc.gz --epochs 1 --letters 40 --temperature 0.1 "$@" > "$file" 2> err || fail "$(cat err)"
  expected=$(for _ in $(seq 10); do printf 'abc '; done)
  [[ $(sed -n 2p "$file") == "$expected" ]] || { cat "$file"; fail "it has not learnt to write '$expected'"; }
}

# The loss on the README gets far below the loss of a guess by how frequent each letter is (3.5). Eight epochs leave
# room for changes of the README: the loss was 0.75 when it was 1.005 after six.
test_readme() {
  runs --epochs 8
  tail -n 1 out | awk '{ exit !($1 == "loss:" && $2 > 0 && $2 < 1) }' || fail "the loss is not below 1"
}

# It writes as many letters as it is asked for, the same for one seed, and says in one line what is wrong with a text.
test_texts() {
  write_abc
  learns_abc one --threads 1
  learns_abc two --threads 2
  diff one two || fail "runs on one thread and on two differ"
  helps --data --epochs --letters --temperature --device
  refused no/such/text --data no/such/text
  printf 'short' > short
  refused short --data short
  refused --temperature --temperature 0
  refused "no device 'nothing'" --device nothing
}

# A device learns as the host does, with gradients that are clipped together.
test_opencl() {
  write_abc
  learns_abc cpu --threads 1
  learns_abc opencl --threads 1 --device opencl
  cat cpu opencl
  local host device
  host=$(value loss cpu) device=$(value loss opencl)
  awk -v a="$host" -v b="$device" 'BEGIN { exit !(b > 0 && b < a * 1.02 + 0.002 && a < b * 1.02 + 0.002) }' ||
    fail "the loss of the device is $device, and that of the host is $host"
}

"test_$case"
exit $failed
