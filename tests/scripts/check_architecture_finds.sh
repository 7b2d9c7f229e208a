#!/bin/sh
# check_architecture_finds.sh PYTHON ROOT: passes when cmake/check_architecture.py takes paths and names that exist, and
# refuses a file that no folder has, a name that no source has, and a name that the files beside it do not have.
python=$1 root=$2
page=$(mktemp) || exit 1
trap 'rm -f "$page"' EXIT
check() {
  printf '## A path\n\nAll paths are below `libs/continuation`.\n\n1. A file (%s).\n2. `%s`.\n' "$1" "$2" > "$page"
  "$python" "$root/cmake/check_architecture.py" "$root" "$page" > /dev/null 2>&1
}

right='`detail/engine/run.hpp`, `Run::next`'
check "$right" 'next.run(x)' || { echo "files and names that exist were refused"; exit 1; }
check '`include/.../engine/run.hpp`, `libs/LIBRARY/src`' 'Run' || { echo "a part of a path was refused"; exit 1; }
for wrong in '`detail/engine/runs.hpp`' '`engine/.../run.hpp`' '`src/engine/run.hpp`' '`tensor/shape.hpp`' \
  '`detail/engine/run.hpp`, `Run::nextProgram`' '`detail/engine/run.hpp`, `GraphNode`'; do
  ! check "$wrong" Run || { echo "$wrong was taken"; exit 1; }
done
for wrong in nextProgram GraphNode 'Run::nextProgram' 'program.nextProgram(f)'; do
  ! check "$right" "$wrong" || { echo "$wrong was taken below a list's files"; exit 1; }
done
printf 'The type `GraphNode` and the folder `continuation`.\n' > "$page"
"$python" "$root/cmake/check_architecture.py" "$root" "$page" > /dev/null || { echo "a name was refused"; exit 1; }
printf 'The type `GraphNodes`.\n' > "$page"
! "$python" "$root/cmake/check_architecture.py" "$root" "$page" > /dev/null || { echo "GraphNodes was taken"; exit 1; }
