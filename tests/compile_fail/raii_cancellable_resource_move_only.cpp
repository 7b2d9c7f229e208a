// expect: tapestry::cancellableResource: the value is copied, one for the caller and one for the release
// expect-lines: 10
#include <memory>

#include "tapestry/raii/cancellable_resource.hpp"

const auto program = tapestry::cancellableResource(
    tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); }),
    [](const std::unique_ptr<int>&) {});
