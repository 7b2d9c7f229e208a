// expect: direct\(.*expected direct<UnitContinuation>, or direct<Do> and its header in tapestry/raii
// expect-lines: 10
#include <memory>

#include "tapestry/continuation/direct/direct.hpp"

const auto program = tapestry::direct<std::shared_ptr>([] { return 1; });
