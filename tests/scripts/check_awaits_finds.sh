#!/bin/sh
# check_awaits_finds.sh FILE: passes when scripts/check_awaits finds the lines of FILE that end with FOUND, and no
# other.
expected=$(grep -n '// *FOUND$' "$1" | cut -d: -f1)
found=$("$(dirname "$0")/../../scripts/check_awaits" "$1" | cut -d: -f2 | sort -nu)
[ -n "$expected" ] && [ "$found" = "$expected" ] && exit
echo "found the lines" $found "and not" $expected
exit 1
