// expect: map\(.*expected f\(value\), const, not mutable; std::move a program of move-only
// expect-lines: 10
#include <string>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(1).map([](const std::string& text) { return text; });
