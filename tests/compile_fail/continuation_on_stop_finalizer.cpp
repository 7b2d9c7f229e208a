// expect: onStop\(.*expected a program and a finalizer that is a program of Errors
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/ensure.hpp"

const auto program = tapestry::onStop(tapestry::now(1), tapestry::now(2));
