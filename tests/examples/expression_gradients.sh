#!/bin/bash
# expression_gradients.sh PROGRAM: the six expressions of toy_computational_graph, its graph, what is refused, and the
# commands of expression_gradients.out with what they print.
set -u
program=$1
session=$(realpath "${BASH_SOURCE[0]%.sh}.out")
source "${BASH_SOURCE[0]%/*}/checks.bash"

# gives "LINE|LINE..." ARGUMENT...
gives() {
  local expected=$1
  shift
  "$program" "$@" > out 2> err || fail "$*: status $?, expected 0: $(cat err)"
  [[ $(paste -sd'|' out) == "$expected" ]] || fail "$*: $(paste -sd'|' out), expected $expected"
}

# refused "LINE|LINE..." ARGUMENT...: status 2, and the lines on standard error, after the program's name.
refused() {
  local expected="expression_gradients: $1" status
  shift
  "$program" "$@" > out 2> err
  status=$?
  echo "expression_gradients $*"
  cat err
  [[ $status == 2 ]] || fail "status $status, expected 2"
  [[ $(paste -sd'|' err) == "$expected" ]] || fail "expected $expected"
}

gives 'x + 2 * y = 14|d/dx = 1|d/dy = 2' 'x + 2 * y' x=10 y=2
gives 'x * x = 100|d/dx = 20' 'x * x' x=10
gives 'x * (x + 1) = 110|d/dx = 21' 'x * (x + 1)' x=10
gives 'x / y = 2|d/dx = 0.25|d/dy = -0.5' 'x / y' x=8 y=4
gives '1 / (x * x + 1) = 0.1|d/dx = -0.06' '1 / (x * x + 1)' x=3
gives '(x * x + 1) / (y * y - 1) = 8.125|d/dx = 2|d/dy = -6.09375' '(x * x + 1) / (y * y - 1)' x=8 y=3

gives '-x^2 = -9|d/dx = -6' --threads 1 -- '-x^2' x=3
gives '-x^2 = -9|d/dx = -6' '-x^2' x=3 --threads 1
gives '-2 * -x = 6|d/dx = 2' --seed 1 '-2 * -x' x=3
gives '--x = 3|d/dx = 1' '--x' x=3
gives '-(x) = -3|d/dx = -1' '-(x)' x=3
gives 'leakyRelu(x, 0.25) = -1|d/dx = 0.25' 'leakyRelu(x, 0.25)' x=-4
gives 'clamp(x, -1, 1) * y = 5|d/dx = 0|d/dy = 1' 'clamp(x, -1, 1) * y' x=3 y=5
gives 'max(x, 2) = 3|d/dx = 1' 'max(x, 2)' x=2 x=3

refused 'column 7: a parenthesis is missing, got the end, expected ")" for the "(" in column 1|  (x + 1|        ^' \
  '(x + 1' x=1
refused 'column 7: text after the expression, got "y", expected an operator or the end|  x + 1 y|        ^' \
  'x + 1 y' x=1
refused 'column 5: this variable has no value, expected year=NUMBER after the expression|  x + year|      ^~~~' \
  'x + year' x=1
refused 'column 7: division by zero|  1 + 1/(x - x) + x|        ^~~~~~~' '1 + 1/(x - x) + x' x=1
refused 'column 5: "max" with 1 argument, expected max(x, y)|  1 + max(x)|      ^~~~~~' '1 + max(x)' x=1
refused 'column 2: something is missing, got ")", expected a number, a name, - or (|  -)|   ^' '-)'
refused 'unknown argument "--no-such-option", expected what --help lists' 'x' x=1 --no-such-option
refused 'x=ten: no value of a variable, expected NAME=NUMBER, such as x=10' x x=ten
refused 'x=: no value of a variable, expected NAME=NUMBER, such as x=10' x x=
refused 'x=1e999: no value of a variable, expected NAME=NUMBER, such as x=10' x x=1e999
refused 'y: not in the expression, got a value for it, expected a variable' x x=1 y=2
refused 'no/such/place/x.dot: cannot be written, expected a file in a directory that is there' \
  x x=1 --dot no/such/place/x.dot
refused 'expression is required, expected what --help lists'
"$program" 'foo(x)' x=1 > out 2> err
[[ $? == 2 ]] && grep -q 'column 1: there is no function "foo"' err && grep -qx '  ^~~' err || fail "foo: $(cat err)"

gives 'x * (x + 1) = 110|d/dx = 21' 'x * (x + 1)' x=10 --dot graph.dot
diff - graph.dot << 'END' || fail "graph.dot"
digraph expression {
  rankdir=BT; ordering=in; node [shape=box, fontname="sans-serif"];
  n0 [label="x\nvalue 10\ngradient 21"];
  n1 [label="1"];
  n2 [label="+\nvalue 11\ngradient 10"];
  n0 -> n2;
  n1 -> n2;
  n3 [label="*\nvalue 110\ngradient 1"];
  n0 -> n3;
  n2 -> n3;
}
END
if command -v dot > /dev/null; then dot -Tsvg graph.dot > /dev/null || fail "Graphviz refuses graph.dot"; fi

while read -r sign command; do
  [[ $sign != '$' ]] || { echo "$sign $command" && eval "${command/#expression_gradients/\"\$program\"}"; }
done < "$session" > transcript 2>&1
diff "$session" transcript || fail "the commands of $session"

for option in --dot --threads --seed --help variables; do
  "$program" --help | grep -q -- "$option" || fail "--help does not tell of $option"
done
exit $failed
