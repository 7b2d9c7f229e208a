// expect: tapestry::tuple2: expected two programs
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::tuple2(tapestry::now(1), 5);
