#!/bin/bash
# common.sh PROGRAM trains|at_once [ARGUMENT...]: what all examples have in common: --help, --seed,
# --threads and --trace, one line for bad input, and for those that train plain lines in a file, and a bar on a
# terminal. The arguments are those of a short run.
set -u
program=$1
how=$2
shift 2
source "${BASH_SOURCE[0]%/*}/checks.bash"

helps
refused --no-such-option "$@" --no-such-option
refused --threads "$@" --threads 0
refused --threads "$@" --threads many
refused --threads "$@" --threads 1025
refused --seed "$@" --seed 1x
refused --seed "$@" --seed -1
refused --seed "$@" --seed

refused --trace "$@" --trace no/such/directory/trace.json

# Options may stand anywhere, and the last one counts.
runs --threads 1 --seed 1 "$@" --threads 2 --seed 2 --trace trace.json
[[ $(head -c 1 trace.json) == "[" && $(tail -n 1 trace.json) == "]" ]] || fail "the trace is not one list"
grep -qE '"ph": ?"[XB]"' trace.json || fail "the trace has no bars: $(head -c 300 trace.json)"
control=$(printf '\r\033')
! grep -q "[$control]" out err || fail "controls of a terminal in a file"

if [[ $how == trains ]]; then
  grep -qE '^epoch +1/1  100%  loss [0-9.]+' err || { cat err; fail "no line for the epoch"; }
  [[ $(wc -l < err) -le 10 ]] || fail "$(wc -l < err) lines for one epoch, expected at most 10"
  if command -v script > /dev/null; then
    script -qec "stty columns 80; '$program' $*" /dev/null < /dev/null > terminal 2>&1 ||
      fail "on a terminal: $(cat terminal)"
    grep -q "$(printf '\repoch 1/1  .*█')" terminal || { cat terminal; fail "no bar on a terminal"; }
  fi
else
  [[ ! -s err ]] || fail "something on standard error: $(cat err)"
fi
exit $failed
