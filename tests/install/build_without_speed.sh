#!/bin/sh
# build_without_speed.sh CMAKE SOURCE WORK COMPILER: builds tensor where neither OpenBLAS nor oneDNN is found, which
# CMake must tell, and builds and runs an outside project against what that installs, which must ask for neither.
# Kernels are of one set of instructions, without optimisation: they compile in a few seconds.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
"$cmake" -S "$source" -B "$work/tapestry" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DHWY_COMPILE_ONLY_STATIC" -DCMAKE_DISABLE_FIND_PACKAGE_OpenBLAS=ON \
  -DCMAKE_DISABLE_FIND_PACKAGE_dnnl=ON -DTAPESTRY_BUILD_TESTS=OFF -DTAPESTRY_BUILD_EXAMPLES=OFF \
  -DTAPESTRY_BUILD_BENCHMARKS=OFF > "$work/log" || { cat "$work/log"; exit 1; }
for missing in OpenBLAS oneDNN; do
  grep "^-- $missing is missing" "$work/log" || { echo "CMake does not tell that $missing is missing"; exit 1; }
done
"$cmake" --build "$work/tapestry" --target tapestry_continuation tapestry_tensor
"$here/install_and_use.sh" "$cmake" "$work/tapestry" "$work/tensor" "$compiler" tensor continuation tensor
! find "$work/tensor/prefix" -name 'find_*.cmake' | grep . ||
  { echo "the package asks for what it was built without"; exit 1; }
