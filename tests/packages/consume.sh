#!/bin/sh
# consume.sh CMAKE SOURCE WORK COMPILER LAUNCHER WAY BUILD: passes when the project in consumer/ has SOURCE as a part of
# itself by add_subdirectory or FetchContent, and is still configured, compiled, tested and installed as it says itself;
# and when its programs are linked as it says with the libraries in BUILD, a build of SOURCE.
set -eu
cmake=$1 source=$2 work=$3 compiler=$4 launcher=$5 way=$6 build=$7
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
"$cmake" -S "$here/consumer" -B "$work/build" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" "-DTAPESTRY_SOURCE=$source" \
  "-DWAY=$way" "$launcher" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
cd "$work/build"
fail() { echo "$*" && exit 1; }

if grep '^CMAKE_BUILD_TYPE:[A-Z]*=.' CMakeCache.txt; then fail "the project has not asked for this build type"; fi
if grep -E '^(OpenCL_CPP|OPENCV_|BUILD_|CPACK_)' CMakeCache.txt; then fail "these variables are tapestry's alone"; fi

# Commands of the project's file and of ours. Only the libraries' own files may have the option -Wno-subobject-linkage.
tr -d '\n' < compile_commands.json | sed 's/},/}\n/g' |
  sed '/\/consumer\/[a-z]*\.cpp"/!s/ -Wno-subobject-linkage//g' > commands
for file in program effects; do
  grep -q "\"file\": \"[^\"]*/consumer/$file.cpp\"" commands || fail "the project's file $file.cpp is not compiled"
done
if grep -E ' -(W|Werror|fsanitize|march|O)[^ "]*' commands; then
  fail "these commands have options that the project has not asked for"
fi
if grep '/consumer/[a-z]*.cpp"' commands | grep -E -- ' -(Wno|f)[^ "]*'; then
  fail "options of ours compile the project's file"
fi
if grep -E -- '-fuse-ld|fsanitize' build.ninja; then fail "options of ours link the project's programs"; fi

tests=$("$(dirname "$cmake")/ctest" -N | sed -n 's/^Total Tests: //p')
[ "$tests" = 1 ] || fail "there are $tests tests, expected the one of the project"
for target in examples test_continuation tapestry-devices package; do
  if "$cmake" --build . --target help | grep "^$target:"; then fail "$target is a target of the project"; fi
done
"$cmake" --build . --target program
./program

# The programs of all other libraries: by the commands of this build, but with the libraries of BUILD in the place of
# those that this build would compile from the same sources.
[ "$way" = FetchContent ] && ours=_deps/tapestry-build programs=effects
[ "$way" = add_subdirectory ] && ours=tapestry programs="effects network"
for program in $programs; do
  "$cmake" --build . --target "CMakeFiles/$program.dir/$program.cpp.o"
  link=$(ninja -t commands "$program" | tail -n 1)
  for library in $(echo "$link" | grep -o " $ours/[^ ]*\.a"); do
    grep -q "^build $library:" build.ninja || fail "$program needs $library, which is not built"
    [ -e "$build/${library#"$ours/"}" ] || fail "$program needs $library, which is not in $build"
  done
  echo "$link" | sed "s# $ours/# $build/#g" > link.sh
  sh link.sh
  "./$program"
done
"$cmake" --install . --prefix "$work/installed" > installed.log
found=$(cd "$work/installed" && find . -type f)
[ "$found" = ./bin/program ] || fail "the project installs $found, expected bin/program alone"
