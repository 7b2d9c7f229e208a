#!/bin/sh
# check_function_lines_finds.sh PYTHON ROOT: passes when cmake/check_function_lines.py takes functions of three lines, and
# refuses functions of four lines: a member, a template, a constructor, and a function with a lambda.
python=$1 root=$2
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
check() {
  printf '%b\n' "$1" > "$folder/source.cpp"
  "$python" "$root/cmake/check_function_lines.py" 3 "$folder" > /dev/null 2>&1
}

for right in 'int f() {\n  return 1;\n}' 'namespace a {\n\nclass [[nodiscard("a()")]] B : C {\n  int d() { return 1; }\n\n};\n}' \
  'auto f() {\n  return R"(\n{\n\n)";\n}' 'int f()\n\n;\nint g() { return 1; }' '#define F(x) \\\n {\n\n\n\nint f() { return 2; }'; do
  check "$right" || { echo "refused: $right"; exit 1; }
done
for wrong in 'int f() {\n\n  return 1;\n}' 'struct A {\n  int f(\n      int x) {\n    return x;\n  }\n};' \
  'template <class T>\nT f(T x) {\n  return x;\n}' 'A::A(int x)\n    : x_{x} {\n\n}' \
  'int f() { return [] {\n  // one\n  return 1;\n}(); }' "int f() {\n  return '{';\n\n}"; do
  ! check "$wrong" || { echo "taken: $wrong"; exit 1; }
done
