// expect: memoize\(.*expected a program of a value that can be copied, for every run gets a copy
// expect-lines: 10
#include <memory>

#include "tapestry/raii/memoize.hpp"

const auto program =
    tapestry::memoize(tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }));
