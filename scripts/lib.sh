# shellcheck shell=bash
# What the scripts share; they source it.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# Configures build/PRESET if that is new or the presets are newer; of all other changes the build itself takes notice.
configure() {
  local preset=$1
  [[ $root/build/$preset/build.ninja -nt $root/CMakePresets.json ]] || (cd "$root" && cmake --preset "$preset")
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset"
  (cd "$root" && cmake --build --preset "$preset" ${1:+--target "$@"})
}

# run_tests PRESET [ctest argument...]
run_tests() {
  local preset=$1 mnist
  shift
  mnist=$(sed -n 's/^TAPESTRY_MNIST_DIR:PATH=//p' "$root/build/$preset/CMakeCache.txt")
  compgen -G "$mnist/train-images*" > /dev/null ||
    echo "NOTE: there is no MNIST in $mnist, so the tests that train on it ARE SKIPPED"
  (cd "$root" && ctest --preset "$preset" --parallel "$(nproc)" "$@")
}
