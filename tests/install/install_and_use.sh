#!/bin/sh
# install_and_use.sh CMAKE BUILD WORK COMPILER NAME COMPONENT...: installs the components from the build tree BUILD into
# a fresh prefix, then builds and runs the outside project in this directory on NAME.cpp against that copy.
set -eu
cmake=$1 build=$2 work=$3 compiler=$4 name=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
components=
for component in "$@"; do
  "$cmake" --install "$build" --prefix "$work/prefix" --component "$component"
  components="$components${components:+;}$component"
done
"$cmake" -S "$here/project" -B "$work/build" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" \
  "-DCMAKE_PREFIX_PATH=$work/prefix" "-DNAME=$name" "-DCOMPONENTS=$components"
"$cmake" --build "$work/build"
"$work/build/$name"
