// expect: retry\(.*expected a Do and a RetryPolicy
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii/retry.hpp"

auto program(const tapestry::Do<int>& one) { return tapestry::retry(one, 3); }
