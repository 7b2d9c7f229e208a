// expect: delay\(.*expected a function that takes no argument, f\(\), const, not mutable
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

const int value = tapestry::delay([](int x) { return x; }).blockingAwait() + 1;
