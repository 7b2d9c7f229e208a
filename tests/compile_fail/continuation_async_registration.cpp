// expect: tapestry::async: the registration does not accept a Callback<A>, expected f\(Callback<A>\)
#include "tapestry/continuation.hpp"

const auto program = tapestry::async<int>([](int x) { return x; });
