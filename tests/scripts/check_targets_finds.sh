#!/bin/sh
# check_targets_finds.sh PYTHON ROOT: passes when cmake/check_targets.py refuses a page that prints the header of a
# target that it does not name, and takes the same page when it names it.
python=$1 root=$2
page=$(mktemp) || exit 1
trap 'rm -f "$page"' EXIT
check() { "$python" "$root/cmake/check_targets.py" "$root" "$page" > /dev/null 2>&1; }

cp "$root/docs/streams.md" "$page"
check || { echo "docs/streams.md was refused"; exit 1; }
sed '/^The code of this page needs/s/`tapestry::testing`/the test kit/' "$root/docs/streams.md" > "$page"
! check || { echo "a page that does not name tapestry::testing was taken"; exit 1; }
sed 's/tapestry::concurrent/tapestry::raii/' "$root/docs/streams.md" > "$page"
! check || { echo "a page that names tapestry::raii for tapestry::concurrent was taken"; exit 1; }
sed 's/tapestry::concurrent`/tapestry::distributed`/' "$root/docs/streams.md" > "$page"
check || { echo "a page that names a target which contains tapestry::concurrent was refused"; exit 1; }
