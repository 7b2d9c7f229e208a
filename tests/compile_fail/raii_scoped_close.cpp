// expect: scoped\(.*expected a Do<A>, or a factory A\(\), at most a const close\(A&\), void or a program
// expect-lines: 10
#include <string>

#include "tapestry/raii.hpp"

const auto program = tapestry::scoped([] { return 1; }, [](const std::string&) {});
