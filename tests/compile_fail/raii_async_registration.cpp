// expect: async\(.*expected a registration f\(Callback<Try<A>>\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

const auto program = tapestry::Do<int>::async([](int) {});
