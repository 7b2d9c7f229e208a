// Declares endWithTrace, after which a process that ends by an uncaught error writes the error's trace.
#pragma once

namespace tapestry::detail {

/// The first call installs a handler that runs before the present handler of std::set_terminate.
void endWithTrace() noexcept;

}  // namespace tapestry::detail
