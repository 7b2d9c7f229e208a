// expect: tapestry::async: the registration does not accept a Callback<A>, expected f\(Callback<A>\)
// expect-lines: 10
#include "tapestry/continuation.hpp"

const auto program = tapestry::async<int>([](int x) { return x; });
