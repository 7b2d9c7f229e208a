#!/bin/sh
# setup_tells.sh SETUP: passes when scripts/setup, on systems that it does not know, installs nothing, and fails with
# the names of packages; a system is a folder of programs and a file that names it. The scripts beside SETUP that such a
# system runs use no array that may be empty as bash 3.2 refuses it.
setup=$1
system=$(mktemp -d) || exit 1
trap 'rm -rf "$system"' EXIT
for program in basename cat dirname mktemp rm sed tr; do ln -s "$(command -v "$program")" "$system"; done
printf '#!/bin/sh\ntouch "%s/called"\n' "$system" > "$system/apt-get"
cp "$system/apt-get" "$system/dpkg-query"
cp "$system/apt-get" "$system/sudo"
chmod +x "$system/apt-get" "$system/dpkg-query" "$system/sudo"
bash=$(command -v bash)

# tells ID VERSION TEXT ARGUMENT...: on that system, setup fails with the text, and calls no package manager. The system
# "none" has no file that names it.
tells() {
  printf 'ID=%s\nVERSION_ID="%s"\n' "$1" "$2" > "$system/os-release"
  [ "$1" != none ] || rm "$system/os-release"
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
tells none "" "Not tested, and parts of tapestry use functions of Linux; see docs/systems.md:
  Homebrew: brew install llvm "
tells fedora 42 "leave the options out: graphviz chromium python3" --pictures

wrong=$(grep -v '^#' "$(dirname "$setup")/packages.txt" | grep -vxE '[^|]+(\|[^|]+){3}')
[ -z "$wrong" ] || { echo "no column for each system: $wrong"; exit 1; }

for script in setup test demo bench; do
  script=$(dirname "$setup")/$script
  for array in $(sed -n 's/^ *\(local -a \)*\([a-z_]*\)=()$/\2/p' "$script"); do
    grep -q "((\${#$array\[@\]}))" "$script" || # the script ends if it is empty
      ! grep -n "\"\${$array\[@\]}\"" "$script" | grep -v "\${$array\[@\]+" ||
      { echo "$script: bash 3.2 refuses $array if it is empty"; exit 1; }
  done
done
