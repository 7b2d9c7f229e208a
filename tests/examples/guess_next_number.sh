#!/bin/sh
# guess_next_number.sh PROGRAM: from ten seeds, the last number of the last line comes within 0.5 of 45.
program=$1
failed=0
for seed in 1 2 3 4 5 6 7 8 9 10; do
  last=$("$program" --seed "$seed" | tail -n 1)
  echo "seed $seed: $last"
  printf '%s\n' "$last" | awk '
    {
      gsub(/[^-+.0-9eE]+/, " ")
      for (i = 1; i <= NF; i++) if ($i ~ /^[-+]?[0-9]+\.?[0-9]*([eE][-+]?[0-9]+)?$/) answer = $i
    }
    END { exit !(answer > 44.5 && answer < 45.5) }' || { echo "  expected 44.5 to 45.5"; failed=1; }
done
exit $failed
