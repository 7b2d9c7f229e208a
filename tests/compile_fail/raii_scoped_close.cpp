// expect: tapestry::scoped: expected a function f\(value&\), const, not mutable, that closes the value
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::scoped([] { return 1; }, [](const std::string&) {});
