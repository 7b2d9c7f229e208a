#!/bin/sh
# check_names_finds.sh PYTHON ROOT: passes when docs/site/check_names.py takes what needs no comment, and refuses a
# member whose name is only a part of its type's name; and when it refuses nothing of another version of Doxygen.
python=$1 root=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
: > "$work/x.hpp"
# check MEMBER TYPE [VERSION]
check() {
  echo "$work/x.hpp:1: warning: Member $1 (function) of class $2 is not documented." > "$work/warnings"
  "$python" "$root/docs/site/check_names.py" "$work/warnings" ${3:+"$3"} > "$work/log"
}
taken() { check "$@" || { echo "refused: $*" && cat "$work/log" && exit 1; }; }
refused() { if check "$@"; then echo "taken: $*" && exit 1; fi; }
taken 'OnnxNetwork(int x)' tapestry::OnnxNetwork 1.9.4
taken 'State(int x)' 'tapestry::Lstm< Tensor< T > >::State' 1.9.4
taken 'Lstm(int x)' 'tapestry::Lstm< Tensor< T > >' 1.9.4
taken '~Lstm()' tapestry::Lstm
refused 'on(int x)' tapestry::OnnxNetwork
refused 'tape(int x)' tapestry::OnnxNetwork 1.9.4
refused 'Lstm(int x)' 'tapestry::Lstm< T >::State' 1.9.4
taken 'on(int x)' tapestry::OnnxNetwork 1.9.8
grep -q 'on(int x)' "$work/log" || { echo "nothing is told of another version" && exit 1; }
