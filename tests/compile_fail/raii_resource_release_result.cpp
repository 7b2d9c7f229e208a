// expect: tapestry::resource: the release function must return nothing, or a program
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::resource(tapestry::Do<int>::now(1), [](int) { return 1; });
