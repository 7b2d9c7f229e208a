// expect: flatMap\(.*expected f\(value\), const, that returns a Do; use map for plain values
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto value = tapestry::Do<int>::now(1)
                       .flatMap([](int x) { return std::to_string(x); })
                       .map([](std::string s) { return s + "!"; })
                       .map([](const auto& s) { return s.size(); })
                       .attempt()
                       .blockingAwait();
