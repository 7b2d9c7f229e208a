// expect: intransitiveFlatMap\(.*expected f\(value\), const, a Do; intransitiveMap for values
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).intransitiveFlatMap([](int x) { return x; });
