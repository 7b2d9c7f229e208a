# What the tests of examples share: source it with `program` set. Works in a directory of its own, which is removed.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

# value NAME FILE: Y of the last line "NAME: Y" or "NAME: Y%".
value() { sed -n "s/^$1: \([0-9.][0-9.]*\)%\{0,1\}[[:space:]]*$/\1/p" "$2" | tail -n 1; }

# at_least X Y: whether both are numbers and X >= Y.
at_least() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x != "" && x + 0 >= y + 0) }'; }

# refused TEXT ARGUMENT...: the program ends with status 2 and one line on standard error that holds TEXT.
refused() {
  local text=$1 status
  shift
  timeout 60 "$program" "$@" > out 2> err
  status=$?
  echo "${program##*/} $*"
  echo "  status $status: $(cat err)"
  [[ $status == 2 ]] || fail "status $status, expected 2"
  [[ $(wc -l < err) == 1 ]] || fail "$(wc -l < err) lines on standard error, expected 1"
  grep -qF -- "$text" err || fail "standard error does not name '$text'"
}

# helps OPTION...: --help tells of these, and of those that all examples have.
helps() {
  "$program" --help > out 2> err || fail "status $?, expected 0"
  [[ ! -s err ]] || fail "standard error is not empty: $(cat err)"
  local option
  for option in "$@" --threads --seed --trace --help; do
    grep -q -- "$option" out || fail "--help does not tell of $option"
  done
}

# runs ARGUMENT...: the program ends well; its output is shown, and stays in the file out.
runs() {
  echo "${program##*/} $*"
  "$program" "$@" > out 2> err || { cat err; fail "status $?, expected 0"; }
  cat out
}

# on_ranks MPIRUN N ARGUMENT...: N processes of the program train together; the first alone writes.
on_ranks() {
  local mpirun=$1 ranks=$2 flags=()
  shift 2
  # more ranks than cores, and by root in containers
  "$mpirun" --version 2> /dev/null | grep -q 'Open MPI\|OpenRTE' && flags=(--allow-run-as-root --oversubscribe)
  echo "$ranks ranks: ${program##*/} --distributed $*"
  timeout 250 "$mpirun" "${flags[@]}" -n "$ranks" "$program" --distributed "$@" > out 2> err ||
    { cat err; fail "status $?, expected 0"; }
  cat out
  [[ $(grep -c '^epoch *1/.* 100%' err) == 1 ]] || { cat err; fail "not one rank alone shows its progress"; }
}

# one_trace_of N FILE: the file has the passes and the exchanges of N processes.
one_trace_of() {
  local rank
  [[ $(head -n 1 "$2") == "[" && $(tail -n 1 "$2") == "]" ]] || fail "the trace is not one list"
  for ((rank = 0; rank < $1; ++rank)); do
    grep -q "\"cat\":\"backward\".*\"pid\":$rank," "$2" || fail "the trace has no backward of rank $rank"
    grep -q "\"cat\":\"exchange\".*\"pid\":$rank," "$2" || fail "the trace has no exchange of rank $rank"
  done
  ! grep -q "\"pid\":$1," "$2" || fail "the trace has more than $1 ranks"
}
