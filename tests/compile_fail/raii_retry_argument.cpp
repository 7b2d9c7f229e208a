// expect: tapestry::retry: expected a Do
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/retry.hpp"

const auto program = tapestry::retry(tapestry::now(1));
