// expect: tapestry::tailRecM: every run needs a copy of the state, and each round one of the body
// expect-lines: 10
#include <memory>

#include "tapestry/raii/tail_rec_m.hpp"

using Next = tapestry::Step<std::unique_ptr<int>, int>;
const auto program = tapestry::tailRecM(std::make_unique<int>(1), [](const std::unique_ptr<int>& state) {
  return tapestry::Do<Next>::delay([value = *state] { return Next::done(value); });
});
