#!/bin/sh
# expect_compile_error_finds.sh ROOT COMPILER: passes when cmake/expect_compile_error.sh takes a program that must not
# compile, and refuses it when it compiles or is refused in other words, or when its file of g++ 12's message, which the
# script has written, has another word.
unset TAPESTRY_WRITE_MESSAGES
root=$1 compiler=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
check() { "$root/cmake/expect_compile_error.sh" "$work/x.cpp" "$compiler" -std=c++20 -fsyntax-only > "$work/log" 2>&1; }
taken() { check || { echo "the program was refused:" && cat "$work/log" && exit 1; }; }
refused() {
  if check || ! grep -q "$1" "$work/log"; then
    echo "the program was not refused by '$1':" && cat "$work/log" && exit 1
  fi
}

printf '%s\n' '// expect: invalid conversion|cannot initialize' '// [code]' 'const int x = "unknown";' '// [/code]' \
  > "$work/x.cpp"
taken
case "$("$compiler" -v 2>&1)" in
  *"gcc version 12."*)
    : > "$work/x.message"
    refused 'another message'
    export TAPESTRY_WRITE_MESSAGES=1
    taken
    unset TAPESTRY_WRITE_MESSAGES
    taken
    printf '%s\n' "x.cpp: error: invalid conversion from 'const char*' to 'int' [-fpermissive]" \
      '     | const int x = "unknown";' | diff - "$work/x.message" || exit 1
    sed -i 's/invalid/wrong/' "$work/x.message"
    refused 'another message'
    rm "$work/x.message"
    ;;
esac
printf '%s\n' '// expect: unheard' 'const int x = unknown;' > "$work/x.cpp"
refused 'no line matches'
printf '%s\n' '// expect: unknown' 'const int x = 1;' > "$work/x.cpp"
refused 'compiles, and must not'
