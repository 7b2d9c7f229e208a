#!/bin/sh
# run_on_small_stack.sh PROGRAM [ARGUMENT...]: the program with 256 KiB of native stack for each of its threads.
ulimit -s 256 || exit 1
exec "$@"
