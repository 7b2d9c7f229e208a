#!/bin/sh
# configure_as_subproject.sh CMAKE SOURCE WORK COMPILER: passes when a project that adds SOURCE as a part of itself is
# configured, and keeps a build type of its own, which is none.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
"$cmake" -S "$here/subproject" -B "$work" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" "-DTAPESTRY_SOURCE=$source"
if grep '^CMAKE_BUILD_TYPE:[A-Z]*=.' "$work/CMakeCache.txt"; then
  echo "the cache has a build type that its project has not asked for"
  exit 1
fi
