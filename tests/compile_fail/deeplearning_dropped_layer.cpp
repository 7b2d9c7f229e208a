// expect: (nodiscard|unused-result).*a layer does nothing until it is evaluated
// expect-errors: 1
#include "tapestry/deeplearning.hpp"

void drop(const tapestry::DoubleLayer& x) { tapestry::exp(x); }
