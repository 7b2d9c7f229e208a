// expect: tapestry::resource: the value is copied, .* use scoped for a move-only value
// expect-lines: 10
#include <memory>

#include "tapestry/raii.hpp"

const auto program =
    tapestry::resource(tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }),
                       [](const std::unique_ptr<int>&) {});
