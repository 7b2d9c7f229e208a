// expect: async\(.*expected a registration f\(Callback<Try<A>>\), const, not mutable
// expect-lines: 10
#include "tapestry/raii.hpp"

auto program() {
  auto registration = [n = 0](const auto& callback) mutable { callback(tapestry::Try<int>::success(n++)); };
  return tapestry::Do<int>::async(registration);
}
