#!/bin/sh
# expect_compile_error.sh FILE COMPILER [OPTION...]: passes when the compiler rejects FILE in the words FILE asks for.
# Its opening comment lines say:
#   // expect: REGEX           an extended regular expression that a line of the output matches
#   // expect-each: REGEX    the same for each function that FILE calls as tapestry::NAME(, with its name for NAME
#   // expect-errors: N        at most N lines with "error:" (default 2); of clang, which continues with the arguments
#                              and the result of a call that it has refused, six times as many
#   // expect-lines: N         what is expected is in the first N lines of output, and the output of g++ has no
#                              more; clang also lists the overloads that are not viable
#   // expect-with: OPTION      one more option for the compiler
# NAME.message beside NAME.cpp is what g++ 12 writes, as the documentation quotes it: without the folders of files, the
# numbers of lines and of templates, the marks under lines, and the lists of what includes what. Another message of
# g++ 12 is an error; with TAPESTRY_WRITE_MESSAGES=1 it is written to the file, which has to exist.
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
if output=$(LC_ALL=C "$@" ${option:+"$option"} "$file" 2>&1); then
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
without_marks() { printf '%s\n' "$output" | grep -Ev '^ +\|'; }  # clang 19 marks each line of a long call
if [ -n "$max_lines" ] && ! without_marks | head -n "$max_lines" | grep -Eq -- "$regex"; then
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

message=${file%.cpp}.message
told() {
  printf '%s\n' "$output" | sed -E '/^(In file included| +from )/d; /^ +\|/d; /^cc1plus: /d
    s#(^|[ (])[^ :(]*/([a-z0-9_]+\.[ch]pp)#\1\2#g; s#(\.[ch]pp):[0-9]+:[0-9]+:#\1:#g; s#^ +[0-9]+ \|#     |#
    s#\bauto:[0-9]+#auto#g'
}
case "$("$1" -v 2>&1)" in *"gcc version 12."*) ;; *) exit 0 ;; esac
[ -e "$message" ] || exit 0
if [ -n "${TAPESTRY_WRITE_MESSAGES:-}" ]; then told > "$message"; fi
if ! told | diff -u "$message" -; then
  echo "$file: another message, expected the one of $message (TAPESTRY_WRITE_MESSAGES=1 writes it)"
  exit 1
fi
