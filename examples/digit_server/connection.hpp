// Defines attend, which answers the requests of one connection.
#pragma once

#include <tapestry/concurrent/event.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/semaphore.hpp>

#include "digit_server/request_reader.hpp"
#include "digit_server/service.hpp"

namespace tapestry::examples {

/// Answers until the peer closes the connection or errs, or `stopping` is set: then the request that has
/// begun is the last. Without a permit of `places`, the answer is 503. The service and the limits must
/// outlive the run.
Do<void> attend(Service& service, const Limits& limits, const Semaphore& places, const Handle<Socket>& socket,
                const Event& stopping);

}  // namespace tapestry::examples
