// Declares endWithTrace, by which a process that an uncaught error ends writes the error's trace.
#pragma once

namespace tapestry::detail {

/// At the first call: puts a handler before that of std::set_terminate.
void endWithTrace() noexcept;

}  // namespace tapestry::detail
