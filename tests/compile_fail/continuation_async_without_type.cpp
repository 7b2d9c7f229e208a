// expect: async\(.*expected async<A>\(f\), where f accepts a Callback<A>, const, not mutable
// expect-lines: 10
#include "tapestry/continuation/async.hpp"

const auto program = tapestry::async([](const tapestry::Callback<int>& callback) { callback(1); });
