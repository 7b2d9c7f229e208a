// expect: tapestry::parTraverse: every run copies the range, expected one that can be copied \(such as a view of it\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/continuation/parallel/par_traverse.hpp"

const auto program = tapestry::parTraverse(std::ranges::owning_view(std::vector<int>()), 2,
                                           [](int x) { return tapestry::now(x); });
