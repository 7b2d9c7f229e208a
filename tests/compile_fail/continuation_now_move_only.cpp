// expect: now\(.*expected a value that runs can copy; delay makes one afresh
// expect-lines: 10
#include <memory>

#include "tapestry/continuation.hpp"

const auto program = tapestry::now(std::make_unique<int>(1));
