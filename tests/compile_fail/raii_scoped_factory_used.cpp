// expect: scoped\(.*expected a Do<A>, or a factory A\(\), at most a const close\(A&\), void or a program
// expect-errors: 1
// expect-lines: 10
#include "tapestry/raii.hpp"

constexpr auto value = [](tapestry::Handle<int> handle) { return *handle; };
const int result = tapestry::scoped([](int x) { return x; }).map(value).blockingAwait();
