// expect: tailRecM\(.*expected a state A to copy, and body\(A\), const, a program of Step<A, B>
// expect-lines: 10
#include <memory>

#include "tapestry/raii/tail_rec_m.hpp"

using Next = tapestry::Step<std::unique_ptr<int>, int>;
constexpr auto body = [](const std::unique_ptr<int>& state) {
  return tapestry::Do<Next>::delay([value = *state] { return Next::done(value); });
};
const auto program = tapestry::tailRecM(std::make_unique<int>(1), body);
