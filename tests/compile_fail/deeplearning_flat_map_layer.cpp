// expect: expected a Do, forward\(layer\)
// expect-errors: 1
// expect-lines: 10
// [code]
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

DoubleLayer twice(const DoubleLayer& x) {
  return DoubleLayer(forward(x).flatMap([](const auto& tape) { return 2.0 * DoubleLayer(tape.data); }));
}
// [/code]
