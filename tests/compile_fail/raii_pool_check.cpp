// expect: scoped\(.*expected a size, a Do<R>, at most a check bool\(R&\) or Do<bool>\(R&\)
// expect-lines: 10
#include <string>

#include "tapestry/raii/pool.hpp"

const auto program =
    tapestry::Pool<int>::scoped(2, tapestry::Do<int>::now(1), [](const std::string&) { return true; });
