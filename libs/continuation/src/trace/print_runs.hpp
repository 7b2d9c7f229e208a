// Declares printerForEnvironment, the observer that TAPESTRY_TRACE=1 sets for all runs.
#pragma once

#include "tapestry/continuation/observe_runs.hpp"

namespace tapestry::detail {

/// Null unless TAPESTRY_TRACE is 1.
RunObserver* printerForEnvironment() noexcept;

}  // namespace tapestry::detail
