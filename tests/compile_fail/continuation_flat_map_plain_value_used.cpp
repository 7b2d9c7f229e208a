// expect: flatMap\(.*expected f\(value\), const, that returns a program; use map for values
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto value = tapestry::now(1)
                       .flatMap([](int x) { return std::to_string(x); })
                       .map([](std::string s) { return s + "!"; })
                       .map([](const auto& s) { return s.size(); })
                       .blockingAwait();
