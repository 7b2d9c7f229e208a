#!/bin/sh
# check_quotes_finds.sh ROOT: passes when cmake/check_quotes.sh takes a page whose quotations are those of its files,
# and refuses the page when a part, the lines with #include or the lines of a range are others or are missing, or a text
# has no marker.
root=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/examples"
printf '%s\n' '// What it is.' '#include <cstdio>' '' 'int main() {' '  // [part]' '  std::puts("a");' '  // [/part]' \
  '}' > "$work/docs/examples/x.cpp"
printf '%s\n' a b c > "$work/docs/examples/x.out"

# page PART INCLUDES RANGE LINES: writes a page of three quotations.
page() {
  printf '<!-- from: examples/x.cpp#part -->\n```cpp\n%s\n```\n' "$1"
  printf '<!-- from: examples/x.cpp#includes -->\n```cpp\n%s\n```\n' "$2"
  printf '<!-- from: examples/x.out#%s -->\n```text\n%b\n```\n' "$3" "$4"
}
check() {
  page "$@" > "$work/docs/page.md"
  "$root/cmake/check_quotes.sh" "$work" > "$work/log" 2>&1
}
part='std::puts("a");' includes='#include <cstdio>'
check "$part" "$includes" 2-3 'b\nc' || { cat "$work/log" && exit 1; }
grep -qx '3 quotations checked' "$work/log" || { cat "$work/log" && exit 1; }
refused() { if check "$@"; then echo "the page was taken:" && cat "$work/docs/page.md" && exit 1; fi; }
refused 'std::puts("b");' "$includes" 2-3 'b\nc'
refused "$part" '#include <cstdlib>' 2-3 'b\nc'
refused "$part" "$includes" 2-3 'a\nb'
refused "$part" "$includes" 2-3 'b'
refused "$part" "$includes" 3-4 'c'
refused "$part" "$includes" no-part 'c'

# A text without a marker, with the one of what differs at each run, and with the latter before another line.
printf '```text\na\n```\n' > "$work/docs/page.md"
if "$root/cmake/check_quotes.sh" "$work" > /dev/null; then echo "a text without a marker was taken" && exit 1; fi
printf '<!-- differs -->\n```text\na\n```\n' > "$work/docs/page.md"
"$root/cmake/check_quotes.sh" "$work" || exit 1
printf '<!-- differs -->\n\n```text\na\n```\n' > "$work/docs/page.md"
if "$root/cmake/check_quotes.sh" "$work" > /dev/null; then echo "a marker of another line was taken" && exit 1; fi
