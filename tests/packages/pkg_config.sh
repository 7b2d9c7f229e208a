#!/bin/sh
# pkg_config.sh CMAKE BUILD WORK COMPILER NAME...: installs the components that each tests/install/project/NAME.cpp
# names, moves the copy, and compiles and runs the program with what pkg-config tells of the last component.
set -eu
cmake=$1 build=$2 work=$3 compiler=$4
shift 4
programs=$(cd "$(dirname "$0")/../install/project" && pwd)
rm -rf "$work"
for name in "$@"; do
  components=$(sed -n '1s|^// components: ||p' "$programs/$name.cpp")
  for component in $components; do
    "$cmake" --install "$build" --prefix "$work/installed/$name" --component "$component" > /dev/null
  done
  mkdir -p "$work/moved"
  mv "$work/installed/$name" "$work/moved/$name"
  PKG_CONFIG_PATH=$(dirname "$(find "$work/moved/$name" -name tapestry-continuation.pc)")
  export PKG_CONFIG_PATH
  for file in "$PKG_CONFIG_PATH"/*.pc; do
    pkg-config --validate "$file"
    pkg-config --print-errors --exists "$(basename "$file" .pc)"
  done
  flags=$(pkg-config --cflags --libs "tapestry-${components##* }")
  case $flags in
    *"$work/installed"*) echo "$name: the flags lead to where the copy was: $flags" && exit 1 ;;
  esac
  echo "$name: $flags"
  # shellcheck disable=SC2086
  "$compiler" -std=c++20 -O0 "$programs/$name.cpp" $flags -o "$work/$name"
  "$work/$name"
done
