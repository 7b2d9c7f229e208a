#!/bin/sh
# check_tables_finds.sh PYTHON ROOT: passes when cmake/check_tables.py takes a table, and refuses the same table with a
# name that no header has, with a header that does not exist, and with a header that has none of the names of its row.
python=$1 root=$2
page=$(mktemp) || exit 1
trap 'rm -f "$page"' EXIT
check() {
  printf '| Asio | tapestry | header |\n|---|---|---|\n| `post` | %s | %s |\n' "$1" "$2" > "$page"
  "$python" "$root/cmake/check_tables.py" "$root" "$page" > /dev/null 2>&1
}

check '`shift(executor)`, of `testing::Scheduler` or `Do<A>`; `tupleN`' '`continuation/shift.hpp`' ||
  { echo "a table of names that exist was refused"; exit 1; }
for wrong in '`shiftBack(executor)`' '`testing::Schedules`' '`Done<A>`' '`x.shiftedTo(y)`' '`shifts`'; do
  ! check "\`shift\`, $wrong" '`continuation/shift.hpp`' || { echo "$wrong was taken"; exit 1; }
done
! check '`shift`' '`continuation/shifts.hpp`' || { echo "a header that does not exist was taken"; exit 1; }
! check '`shift`' '`raii/race.hpp`' || { echo "a header without the name was taken"; exit 1; }
