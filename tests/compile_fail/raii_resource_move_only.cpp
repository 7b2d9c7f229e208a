// expect: resource\(.*expected a Do<A>, A copyable, and f\(A&\), const, nothing or a program
// expect-lines: 10
#include <memory>

#include "tapestry/raii.hpp"

const auto program =
    tapestry::resource(tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }),
                       [](const std::unique_ptr<int>&) {});
