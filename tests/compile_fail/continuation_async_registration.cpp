// expect: async\(.*expected async<A>\(f\), where f accepts a Callback<A>, const, not mutable
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::async<int>([](int x) { return x; });
