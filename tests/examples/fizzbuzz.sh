#!/bin/sh
# fizzbuzz.sh PROGRAM: of the numbers from 1 to 100, on which it was not trained, it has at least 99 right, and what it
# says is what it counts.
out=$("$1") || exit 1
printf '%s\n' "$out"
right=$(printf '%s\n' "$out" | sed -n 's/^right: \([0-9]*\) of 100$/\1/p')
said=$(printf '%s\n' "$out" | sed '$d' | tr ' ' '\n' | awk '
  { expected = (NR % 3 ? "" : "Fizz") (NR % 5 ? "" : "Buzz"); right += $0 == (expected == "" ? NR : expected) }
  END { print right }')
[ "$right" = "$said" ] || { echo "FAILED: $said are right, and it says $right"; exit 1; }
[ "$right" -ge 99 ] || { echo "FAILED: expected at least 99"; exit 1; }
