// expect: blockingAwait\(.*expected nothing, Executor, StopToken, both
// expect-lines: 10
#include <chrono>

#include "tapestry/raii.hpp"

const int value = tapestry::Do<int>::now(1).blockingAwait(std::chrono::seconds(5));
