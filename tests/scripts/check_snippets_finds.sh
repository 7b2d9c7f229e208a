#!/bin/sh
# check_snippets_finds.sh PYTHON ROOT PRECOMPILED COMPILER...: passes when cmake/check_snippets.py refuses a page that
# lacks an #include or shows no helper, and takes the same page with both.
python=$1 root=$2
shift 2
page=$(mktemp) || exit 1
trap 'rm -f "$page"' EXIT
check() { "$python" "$root/cmake/check_snippets.py" "$root" "$page" "$@" > /dev/null 2>&1; }

cp "$root/docs/testing.md" "$page"
check "$@" || { echo "docs/testing.md was refused"; exit 1; }
grep -v '^#include <tapestry/raii/retry.hpp>' "$root/docs/testing.md" > "$page"
! check "$@" || { echo "a page without the header of retry was taken"; exit 1; }
sed '/^struct Account {/,/^};/d' "$root/docs/testing.md" > "$page"
! check "$@" || { echo "a page without the type of a snippet was taken"; exit 1; }
