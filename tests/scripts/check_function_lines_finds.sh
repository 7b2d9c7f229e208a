#!/bin/sh
# check_function_lines_finds.sh PYTHON ROOT: passes when cmake/check_function_lines.py takes functions of three lines,
# and refuses functions of four lines: a member, a template, a constructor, and functions with a lambda in their body,
# in an initializer or in a default argument.
python=$1 root=$2
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
check() {
  printf '%b\n' "$1" > "$folder/source.cpp"
  "$python" "$root/cmake/check_function_lines.py" 3 "$folder" > /dev/null 2>&1
}
taken() { for right in "$@"; do check "$right" || { echo "refused: $right"; exit 1; }; done; }
refused() { for wrong in "$@"; do ! check "$wrong" || { echo "taken: $wrong"; exit 1; }; done; }

taken 'int f() {\n  return 1;\n}' \
  'namespace a {\n\nclass [[nodiscard("a()")]] B : C {\n  int d() { return 1; }\n\n};\n}' \
  'auto f() {\n  return R"(\n{\n\n)";\n}' 'int f()\n\n;\nint g() { return 1; }' \
  '#define F(x) \\\n {\n\n\n\nint f() { return 2; }' \
  'A::A(int x) : f_([] { return 1; }), x_{x} {}\n\n\nint g() { return 1; }' \
  'const int a = f([](int x) {\n  return x;\n});\n\nint g() { return 1; }'
refused 'int f() {\n\n  return 1;\n}' 'struct A {\n  int f(\n      int x) {\n    return x;\n  }\n};' \
  'template <class T>\nT f(T x) {\n  return x;\n}' 'A::A(int x)\n    : x_{x} {\n\n}' \
  'int f() { return [] {\n  // one\n  return 1;\n}(); }' "int f() {\n  return '{';\n\n}" \
  'A::A(int x)\n    : f_([] { return 1; }), x_(x) {\n\n}' 'A::A(int x)\n    : f_{[] { g(); return 1; }}, x_{x} {\n\n}' \
  'int f(int x = [] { return 1; }(),\n      int y = 2) {\n  return x;\n}' \
  'A::A()\n    : f_([](int x) { return x; }) {\n  f_(1);\n}'
