#!/bin/bash
# mnist_mlp.sh PROGRAM CASE [ARGUMENT...]: one of the tests below. Exit status 77 means skipped.
set -u
program=$1
case=$2
shift 2
source "${BASH_SOURCE[0]%/*}/checks.bash"

# accurate PERCENT: so many at least of the test images were read right.
accurate() { at_least "$(value 'test accuracy' out)" "$1" || fail "test accuracy is below $1 %"; }

# Drawn digits; on one thread the same seed gives the same numbers.
test_synthetic() {
  runs --epochs 2 --threads 1 --seed 7
  accurate 98
  grep -q '^first batch, before: loss .* right [0-9]*, gradients .* 4.weight [0-9]' out || fail "no line of gradients"
  local right=$(sed -n 's/^first batch, after: .* right \([0-9]*\),.*/\1/p' out)
  at_least "$right" 60 || fail "of the first 64 digits fewer than 60 are right after training"
  sed '/^seconds/d' out > first
  runs --epochs 2 --threads 1 --seed 7
  sed '/^seconds/d' out | diff first - || fail "two runs of one seed differ"
  runs --epochs 2 --batch 1000 --threads 2
  accurate 90
}

test_bad_input() {
  helps --data --device --epochs --batch --learning-rate --distributed --trace
  refused --batch --batch 0
  refused --learning-rate --learning-rate x
  refused "no device 'nothing'" --device nothing
  refused no/such/place --data no/such/place
}

real_data() {
  [[ -e $1/train-images-idx3-ubyte.gz || -e $1/train-images-idx3-ubyte ]] && return
  echo "SKIPPED: MNIST IS NOT THERE, SO NOTHING HAS BEEN TRAINED ON IT. Expected its four files in $1"
  echo "(the CMake variable TAPESTRY_MNIST_DIR)"
  exit 77
}

# One epoch of the real digits on the device of OpenCL, which is PoCL where there is no GPU.
test_opencl() {
  local data=$1
  real_data "$data"
  runs --data "$data" --device opencl --epochs 1 --batch 100
  accurate 95
}

# The real digits: what Thunder's article reports at batch 1000, and more at batch 64.
test_mnist() {
  local data=$1
  real_data "$data"
  runs --data "$data" --batch 1000
  accurate 97
  runs --data "$data" --batch 64
  accurate 98
}

# Two and four processes of one thread, by mpirun: rank 0 alone writes, and all ranks are in one trace.
test_distributed() {
  local mpirun=$1 ranks
  for ranks in 2 4; do
    on_ranks "$mpirun" $ranks --epochs 2 --threads 1 --seed 7 --batch $((64 / ranks)) --trace trace.json
    accurate 97
    one_trace_of $ranks trace.json
  done
}

"test_$case" "$@"
exit $failed
