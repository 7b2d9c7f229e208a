#!/bin/sh
# expect_output.sh EXPECTED PROGRAM [ARGUMENT...]: passes when the program succeeds and prints the file EXPECTED.
# If there is no such file, success is enough.
expected=$1
shift
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
"$@" > "$output" || { status=$?; cat "$output"; echo "exit status $status"; exit 1; }
cat "$output"
[ ! -e "$expected" ] || diff -u "$expected" "$output"
