// expect: resource\(.*expected a Do<A> of a copyable A, and a const f\(A&\), void or a program
// expect-lines: 10
#include <memory>

#include "tapestry/raii.hpp"

const auto program =
    tapestry::resource(tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }),
                       [](const std::unique_ptr<int>&) {});
