#!/usr/bin/env bash
# setup_gpu.sh SETUP: what `scripts/setup --gpu` tells of libraries that the loader finds, and of libraries in a
# folder of LD_LIBRARY_PATH.
set -euo pipefail
setup=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect TEXT PATTERN: fails unless the pattern matches a line of the text.
expect() {
  grep -qE -- "$2" <<< "$1" || { printf 'expected a line /%s/, got\n%s\n' "$2" "$1" >&2; exit 1; }
}

told=$("$setup" --gpu)
expect "$told" "^  OpenCL's loader +/.*/libOpenCL\\.so\\.1$"
expect "$told" '^  driver of OpenCL +/etc/OpenCL/vendors/.+\.icd$'
expect "$told" '^  NVIDIA +.*nvidia-opencl-icd'
expect "$told" 'tapestry-devices --test --measure cuda$'

touch "$folder/libcuda.so.1" "$folder/libnvrtc.so.12" "$folder/libcublas.so"
told=$(LD_LIBRARY_PATH=/nowhere:$folder "$setup" --gpu)
expect "$told" "^  CUDA's driver +$folder/libcuda\\.so\\.1\$"

# where ldconfig lists nothing, only what LD_LIBRARY_PATH names is found
mkdir "$folder/bin"
printf '#!/bin/sh\nexit 1\n' > "$folder/bin/ldconfig"
chmod +x "$folder/bin/ldconfig"
told=$(PATH=$folder/bin:$PATH LD_LIBRARY_PATH=$folder "$setup" --gpu)
expect "$told" "^  OpenCL's loader +not found, expected libOpenCL\\.so\\.1\$"
expect "$told" "^  NVRTC +$folder/libnvrtc\\.so\\.12\$"
expect "$told" "^  cuBLAS +$folder/libcublas\\.so\$"
