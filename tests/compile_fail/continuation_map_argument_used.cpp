// expect: map\(.*expected a function f\(value\), const, not mutable
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto length =
    tapestry::now(1).map([](std::string s) { return s; }).map([](auto s) { return s.size(); });
