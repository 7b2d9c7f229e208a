// expect: cancellableResource\(.*expected a Do<A>, A copyable, f\(A&\), const, of void or a program
// expect-lines: 10
#include <memory>

#include "tapestry/raii/cancellable_resource.hpp"

const auto acquire = tapestry::Do<std::unique_ptr<int>>::delay([] { return std::make_unique<int>(1); });
const auto program = tapestry::cancellableResource(acquire, [](const std::unique_ptr<int>&) {});
