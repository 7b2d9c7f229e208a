// expect: tapestry::resource: expected a release function f\(value&\)
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::resource(tapestry::Do<int>::now(1), [](const std::string&) {});
