#!/bin/sh
# expect_compile_error.sh FILE COMPILER [OPTION...]: passes when the compiler rejects FILE in the words FILE asks for.
# Its opening comment lines say:
#   // expect: REGEX           an extended regular expression that a line of the output matches
#   // expect-each: REGEX    the same for each function that FILE calls as tapestry::NAME(, with its name for NAME
#   // expect-errors: N        at most N lines with "error:" (default 2); of clang, which goes on with the arguments and
#                              the result of a call that it has refused, six times as many
#   // expect-lines: N         what is expected is in the first N lines of output, and the output of g++ has no
#                              more; clang also lists the overloads that are not viable
#   // expect-with: OPTION      one more option for the compiler
file=$1
shift
unread=$(grep -E 'expect' "$file" | grep -Ev '^// expect(-each|-errors|-lines|-with)?: ')
if [ -n "$unread" ]; then
  echo "$file: not read, expected '// expect: ' or the like at a line's beginning: $unread"
  exit 1
fi
field() { sed -n "s|^// $1: ||p;10q" "$file" | head -n 1; }
regex=$(field expect)
max_errors=$(field expect-errors)
max_lines=$(field expect-lines)
option=$(field expect-with)
if [ -z "$regex" ]; then
  echo "$file: has no line '// expect: REGEX'"
  exit 1
fi
if output=$("$@" ${option:+"$option"} "$file" 2>&1); then
  echo "$file: compiles, and must not"
  exit 1
fi
printf '%s\n' "$output"
if ! printf '%s\n' "$output" | grep -Eq -- "$regex"; then
  echo "$file: no line matches '$regex'"
  exit 1
fi
each=$(field expect-each)
names=$(grep -v '^//' "$file" | grep -Eo 'tapestry::[A-Za-z0-9]+\(' | sed 's|.*::\(.*\)(|\1|' | sort -u)
if [ -n "$each" ] && [ -z "$names" ]; then
  echo "$file: calls no tapestry::NAME("
  exit 1
fi
for name in ${each:+$names}; do
  named=$(printf '%s\n' "$each" | sed "s|NAME|$name|g")
  if ! printf '%s\n' "$output" | grep -Eq -- "$named"; then
    echo "$file: no line matches '$named'"
    exit 1
  fi
done
if [ -n "$max_lines" ] && ! printf '%s\n' "$output" | head -n "$max_lines" | grep -Eq -- "$regex"; then
  echo "$file: the first $max_lines lines do not match '$regex'"
  exit 1
fi
max_errors=${max_errors:-2}
case "$("$1" --version)" in *clang*) max_errors=$((max_errors * 6)) max_lines= ;; esac
errors=$(printf '%s\n' "$output" | grep -c 'error:')
if [ "$errors" -gt "$max_errors" ]; then
  echo "$file: $errors errors, expected at most $max_errors"
  exit 1
fi
lines=$(printf '%s\n' "$output" | wc -l)
if [ -n "$max_lines" ] && [ "$lines" -gt "$max_lines" ]; then
  echo "$file: $lines lines of messages, expected at most $max_lines"
  exit 1
fi
