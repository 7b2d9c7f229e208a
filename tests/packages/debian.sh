#!/bin/sh
# debian.sh CMAKE CPACK BUILD WORK COMPILER VERSION NAME...: makes Debian's packages of BUILD; checks that they hold
# what is installed, each file once, and say what they are; then builds and runs each tests/install/project/NAME.cpp
# with the package of its last component and those that it depends on, unpacked.
set -eu
cmake=$1 cpack=$2 build=$3 work=$4 compiler=$5 version=$6
shift 6
project=$(cd "$(dirname "$0")/../install/project" && pwd)
rm -rf "$work"
mkdir -p "$work/packages" "$work/staged"
(cd "$work/staged" && "$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages" > /dev/null)
fail() { echo "$*" && exit 1; }

# Files: those that are installed, and copyright, each in one package.
"$cmake" --install "$build" --prefix "$work/installed" > /dev/null
(cd "$work/installed" && find . ! -type d | sed 's|^\./||' | sort) > "$work/expected"
: > "$work/all"
for package in "$work"/packages/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -tf - | grep -v '/$' | sed 's|^\./||' > "$work/files"
  name=$(dpkg-deb --field "$package" Package)
  grep -qx "usr/share/doc/$name/copyright" "$work/files" || fail "$name has no copyright"
  grep -v '^usr/share/doc/' "$work/files" | sed 's|^usr/||' >> "$work/all"
done
sort "$work/all" | uniq -d > "$work/twice"
[ ! -s "$work/twice" ] || fail "files of two packages: $(cat "$work/twice")"
sort "$work/all" | diff "$work/expected" - || fail "the packages differ from what is installed"

# Control: what each package says, and that Debian has what it depends on.
architecture=$(dpkg --print-architecture)
for package in "$work"/packages/*.deb; do
  field() { dpkg-deb --field "$package" "$1"; }
  name=$(field Package)
  [ "$(field Version)" = "$version" ] || fail "$name has the version $(field Version), expected $version"
  [ "$(field Section)" = libdevel ] || fail "$name is in the section $(field Section)"
  [ "$(field Architecture)" = "$architecture" ] || fail "$name is of the architecture $(field Architecture)"
  [ -n "$(field Maintainer)" ] || fail "$name has no maintainer"
  field Description | head -1 | grep -q '^[A-Z].*(development files)$' || fail "$name: $(field Description)"
  field Depends | tr ',' '\n' | sed 's/^ *//; s/ (= \(.*\))$/ \1/' > "$work/depends"
  while read -r needed wanted; do
    case $needed in
      '') ;;
      libtapestry-*)
        [ -e "$work/packages/${needed}_${wanted}_$architecture.deb" ] || fail "$name needs $needed $wanted" ;;
      *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$needed")" = installed ] || fail "$name needs $needed" ;;
    esac
  done < "$work/depends"
done

# unpack PACKAGE ROOT: with what it depends on.
unpack() {
  [ ! -e "$2/$1" ] || return 0
  mkdir -p "$2"
  : > "$2/$1"
  dpkg-deb --extract "$work/packages/$1_${version}_$architecture.deb" "$2"
  depends=$(dpkg-deb --field "$work/packages/$1_${version}_$architecture.deb" Depends)
  for needed in $(echo "$depends" | grep -o 'libtapestry-[a-z]*-dev'); do
    unpack "$needed" "$2"
  done
}
for name in "$@"; do
  component=$(sed -n '1s|^// components:.* ||p' "$project/$name.cpp")
  unpack "libtapestry-$component-dev" "$work/root/$name"
  "$cmake" -S "$project" -B "$work/build/$name" -G Ninja "-DCMAKE_CXX_COMPILER=$compiler" \
    "-DCMAKE_PREFIX_PATH=$work/root/$name/usr" "-DNAME=$name" "-DCOMPONENTS=$component"
  "$cmake" --build "$work/build/$name"
  "$work/build/$name/$name"
done
