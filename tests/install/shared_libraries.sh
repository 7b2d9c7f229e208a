#!/bin/sh
# shared_libraries.sh CMAKE SOURCE WORK COMPILER VERSION: builds SOURCE as shared libraries, checks how they are named
# and what they show, and builds and runs the outside project shared/ on them.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4 version=$5
here=$(cd "$(dirname "$0")" && pwd)
libraries="monad continuation asio raii tensor deeplearning"
fail() {
  echo "$*"
  exit 1
}

rm -rf "$work"
# Unoptimised, since that takes a third of the time to compile, and leaves more functions that could be shown.
"$cmake" -S "$source" -B "$work/tapestry" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" -DBUILD_SHARED_LIBS=ON \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_INSTALL_LIBDIR=lib \
  -DTAPESTRY_BUILD_TESTS=OFF -DTAPESTRY_BUILD_EXAMPLES=OFF -DTAPESTRY_BUILD_BENCHMARKS=OFF
"$cmake" --build "$work/tapestry" --target tapestry_asio tapestry_deeplearning
for component in continuation testing asio tryt resourcet raii tensor deeplearning; do
  "$cmake" --install "$work/tapestry" --prefix "$work/first" --component "$component"
done
mv "$work/first" "$work/prefix" # libraries find each other wherever they are

# The functions and types of private headers whose names are no words of public headers.
words() { find "$source"/libs/*/include -name '*.hpp' -exec cat {} + | tr -cs '[:alnum:]_' '\n' | sort -u; }
declared() {
  find "$source"/libs/continuation/src "$source"/libs/raii/src "$source"/libs/tensor/src \
    "$source"/libs/deeplearning/src -name '*.hpp' -exec cat {} + |
    sed -nE 's/^(class|struct) ([[:alpha:]]+).*/\2/p; s/^[[:alpha:]].*[ &*]([[:alpha:]]+)\(.*/\1/p' | sort -u
}
words > "$work/words"
declared | comm -23 - "$work/words" > "$work/names"
for name in SharedList parseSafetensorsHeader; do
  grep -qx "$name" "$work/names" || fail "$name is not found as a private name: is this search still right?"
done
# The same as linkers know them: what precedes the names of functions, variables, tables and guards, and a name after
# its length.
start='^_Z(T[A-Z]|GV)?Z?N[VK]*'
{
  awk -v start="$start" '{ print start "8tapestry([0-9]+[[:alpha:]_]+)*" length($0) $0 }' "$work/names"
  printf '%s\n' "${start}8tapestry4pool" "${start}8tapestry7kernels[0-9]+N_" "$start(8nlohmann|2xt|3hwy)" \
    "$start.*12_GLOBAL__N_1"
} > "$work/private"

for name in $libraries; do
  library=$work/prefix/lib/libtapestry_$name.so
  readelf -d "$library" | grep -q "SONAME.*\[libtapestry_$name\.so\.${version%.*}\]" ||
    fail "$library has another soname, expected libtapestry_$name.so.${version%.*}"
  nm -D --defined-only --format=just-symbols "$library" > "$work/shown"
  grep -qE "${start}8tapestry" "$work/shown" || fail "$library shows nothing"
  ! grep -E -f "$work/private" "$work/shown" ||
    fail "$library shows the above, expected nothing of private headers, anonymous namespaces and other libraries"
done

"$cmake" -S "$here/shared" -B "$work/build" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" \
  "-DCMAKE_PREFIX_PATH=$work/prefix"
"$cmake" --build "$work/build"
LD_BIND_NOW=1 "$work/build/shared"
