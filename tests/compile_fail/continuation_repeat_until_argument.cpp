// expect: repeatUntil\(.*expected a program and bool f\(const value&\); for a Do raii/repeat.hpp
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/repeat.hpp"

const auto program = tapestry::repeatUntil([] { return 1; }, [](int x) { return x > 0; });
