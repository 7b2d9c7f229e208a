// expect: batched\(.*expected f\(std::vector<X>\) that returns a Do<std::vector<Y>>, and a policy
// expect-lines: 10
#include "tapestry/concurrent/batched.hpp"

const auto ask = tapestry::batched([](int key) { return tapestry::Do<int>::now(key); }, {});
