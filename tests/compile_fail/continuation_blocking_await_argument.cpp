// expect: blockingAwait\(.*expected nothing, an Executor, a StopToken, or both
// expect-lines: 10
#include <chrono>

#include "tapestry/continuation.hpp"

const int value = tapestry::now(1).blockingAwait(std::chrono::seconds(5));
