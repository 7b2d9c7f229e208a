// expect: now\(.*expected an A to copy; delay makes a move-only value afresh
// expect-lines: 10
#include <memory>

#include "tapestry/raii.hpp"

const auto program = tapestry::Do<std::unique_ptr<int>>::now(std::make_unique<int>(1));
