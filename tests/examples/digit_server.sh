#!/bin/bash
# digit_server.sh PROGRAM CASE: runs the case of digit_server.py, a client that speaks to the server over sockets.
# Without python3, or what else the case needs, it is skipped.
set -eu
need() {
  command -v "$1" > /dev/null || { echo "NOTE: there is no $1, so this test IS SKIPPED ($2)"; exit 77; }
}
need python3 "package python3"
case $2 in
  load) need wrk "package wrk; scripts/setup --ci" ;;
  page) need chromium "package chromium; scripts/setup --service" ;;
esac
exec python3 "${BASH_SOURCE[0]%.sh}.py" "$@"
