// expect: retry\(.*expected a Do and a RetryPolicy
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/retry.hpp"

const auto program = tapestry::retry(tapestry::now(1));
