#!/usr/bin/env bash
# tapestry_devices.sh PROGRAM: what tapestry-devices prints, and how it ends, with an available device of OpenCL.
set -euo pipefail
program=$1

# expect TEXT PATTERN...: fails unless each pattern matches a line of the text.
expect() {
  local text=$1 pattern
  shift
  for pattern in "$@"; do
    if ! grep -qE -- "$pattern" <<< "$text"; then
      printf 'expected a line /%s/, got\n%s\n' "$pattern" "$text" >&2
      exit 1
    fi
  done
}

# refuse STATUS ARGUMENT...: prints the errors of a call, which must end with this status and print nothing else.
refuse() {
  local expected=$1 status=0 errors
  shift
  errors=$("$program" "$@" 2>&1 > /dev/null) || status=$?
  if [[ $status != "$expected" ]]; then
    echo "$program $*: ended with $status, expected $expected" >&2
    exit 1
  fi
  printf '%s\n' "$errors"
}

expect "$("$program")" '^opencl:0  .'

report=$("$program" --test --measure --size 64 --elements 65536 opencl)
expect "$report" '^opencl:0  .+ \(.+\)$' '^[0-9]{3} kernels tested, 0 failed$' \
  '^product of 64 x 64: [0-9]+ GFLOP/s$' '^eight elementwise operations, one kernel: [0-9.]+ GB/s$' \
  '^one elementwise operation: [0-9.]+ GB/s$' "^the host's cost of an operation: [0-9.]+ us\$"

expect "$(refuse 1 nothing)" "^tapestry-devices: .*'nothing'.*opencl:0"
expect "$(refuse 1 --test opencl:77)" "^tapestry-devices: .*'opencl:77'.*opencl:0"
refuse 109 --unknown > /dev/null
