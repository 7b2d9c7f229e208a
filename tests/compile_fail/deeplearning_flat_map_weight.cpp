// expect: expected a Do, forward\(layer\)
// expect-errors: 1
// expect-lines: 10
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

DoubleLayer chosen(const DoubleLayer& x, const DoubleWeight& weight) {
  return DoubleLayer(forward(x).flatMap([weight](const auto&) { return weight; }));
}
