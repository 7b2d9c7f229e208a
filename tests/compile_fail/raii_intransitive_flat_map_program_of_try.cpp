// expect: intransitiveFlatMap\(.*expected Do<A>::garbageCollected\(program of Try<A>\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::now(1).intransitiveFlatMap(
    [](int x) { return tapestry::delay([x] { return tapestry::Try<int>::success(x); }); });
