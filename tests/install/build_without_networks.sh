#!/bin/sh
# build_without_networks.sh CMAKE SOURCE WORK COMPILER: builds SOURCE without libs/deeplearning, finding no package but
# Boost, and builds and runs outside projects against what that installs.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
set --
for package in xtensor hwy nlohmann_json ZLIB OpenBLAS dnnl CLI11 doctest MPI benchmark TBB Torch; do
  set -- "$@" "-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"
done
"$cmake" -S "$source" -B "$work/tapestry" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" \
  -DTAPESTRY_BUILD_DEEPLEARNING=OFF "$@"
"$cmake" --build "$work/tapestry"
for name in continuation asio raii; do
  components=$(sed -n '1s|^// components: ||p' "$here/project/$name.cpp")
  # shellcheck disable=SC2086
  "$here/install_and_use.sh" "$cmake" "$work/tapestry" "$work/$name" "$compiler" $name $components
done
