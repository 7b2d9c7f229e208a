// expect: batched\(.*expected f\(std::vector<X>\) that returns a Do<std::vector<Y>>, and a policy
// expect-lines: 10
#include <vector>

#include "tapestry/concurrent/batched.hpp"

const auto ask = tapestry::batched([](const std::vector<int>& keys) { return keys; }, {});
