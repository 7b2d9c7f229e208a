// expect: tapestry::async: expected async<A>\(f\)
// expect-lines: 10
#include "tapestry/continuation/async.hpp"

const auto program = tapestry::async([](const tapestry::Callback<int>& callback) { callback(1); });
