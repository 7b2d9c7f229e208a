// expect: tapestry::Do::async: expected a registration
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::async([](int) {});
