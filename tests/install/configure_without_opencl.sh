#!/bin/sh
# configure_without_opencl.sh CMAKE SOURCE WORK COMPILER: configures SOURCE where neither OpenCL's headers nor CLBlast
# are found: without libs/compute, unless the user asks for it, which is an error that names the packages.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4
rm -rf "$work"
set -- -S "$source" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" -DTAPESTRY_BUILD_TESTS=OFF -DTAPESTRY_BUILD_EXAMPLES=OFF \
  -DTAPESTRY_BUILD_BENCHMARKS=OFF -DTAPESTRY_BUILD_DISTRIBUTED=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CLBlast=ON \
  -DTAPESTRY_OPENCL_HEADERS=OFF -DTAPESTRY_OPENCL_CPP_HEADERS=OFF -DOpenCL_INCLUDE_DIR=OFF

"$cmake" "$@" -B "$work/default"
"$cmake" --build "$work/default" --target help > "$work/targets"
grep -q '^tapestry_deeplearning:' "$work/targets"
if grep -E '^tapestry[_-](compute|devices):' "$work/targets"; then
  echo "libs/compute is built without OpenCL" >&2
  exit 1
fi
# the next configuration finds what is installed meanwhile
grep -q '^TAPESTRY_BUILD_COMPUTE:STRING=AUTO$' "$work/default/CMakeCache.txt"

if "$cmake" "$@" -B "$work/asked" -DTAPESTRY_BUILD_COMPUTE=ON 2> "$work/errors"; then
  echo "libs/compute is configured without OpenCL, expected an error" >&2
  exit 1
fi
cat "$work/errors" >&2
for package in ocl-icd-opencl-dev opencl-clhpp-headers libclblast-dev; do
  tr -s '\n ' ' ' < "$work/errors" | grep -q "TAPESTRY_BUILD_COMPUTE is on.*$package"
done
