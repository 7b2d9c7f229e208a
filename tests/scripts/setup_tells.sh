#!/bin/sh
# setup_tells.sh SETUP: passes when scripts/setup, on systems that it does not know, installs nothing, and fails with the
# names of packages; a system is a folder of programs and a file that names it.
setup=$1
system=$(mktemp -d) || exit 1
trap 'rm -rf "$system"' EXIT
for program in basename cat dirname mktemp rm sed tr; do ln -s "$(command -v "$program")" "$system"; done
printf '#!/bin/sh\ntouch "%s/called"\n' "$system" > "$system/apt-get"
cp "$system/apt-get" "$system/dpkg-query"
cp "$system/apt-get" "$system/sudo"
chmod +x "$system/apt-get" "$system/dpkg-query" "$system/sudo"
bash=$(command -v bash)

# tells ID VERSION TEXT ARGUMENT...: on that system, setup fails with the text, and calls no package manager.
tells() {
  printf 'ID=%s\nVERSION_ID="%s"\n' "$1" "$2" > "$system/os-release"
  text=$3
  shift 3
  told=$(TAPESTRY_OS_RELEASE="$system/os-release" PATH="$system" "$bash" "$setup" "$@" 2>&1)
  [ $? -eq 1 ] || { echo "setup did not fail with 1: $told"; exit 1; }
  case $told in
    *"$text"*) ;;
    *) echo "setup does not tell '$text': $told"; exit 1 ;;
  esac
  [ ! -e "$system/called" ] || { echo "setup called a package manager"; exit 1; }
}

tells debian 13 "Debian 13 and Ubuntu 24.04: apt-get install g++ cmake ninja-build libboost-dev "
tells ubuntu 24.04 "Nothing has been installed."
tells fedora 42 "Fedora: dnf install gcc-c++ cmake ninja-build boost-devel "
tells "" "" "Homebrew: brew install llvm cmake ninja boost "
tells fedora 42 "leave the options out: graphviz chromium python3" --pictures

wrong=$(grep -v '^#' "$(dirname "$setup")/packages.txt" | grep -vxE '[^|]+(\|[^|]+){3}')
[ -z "$wrong" ] || { echo "no column for each system: $wrong"; exit 1; }
