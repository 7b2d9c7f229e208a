// Defines UnaryLoops, the inner loops of the elementwise functions of one operand.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Loops over n contiguous values, compiled for each instruction set; `out` may be `x`.
template <class T>
struct UnaryLoops {
  using Loop = void (*)(const T* x, std::size_t n, T* out);

  Loop negate, abs, sign, exp, log, relu, tanh, sigmoid, sqrt, sin, cos, log1p, expm1, softplus;
};

/// The loops for the best instruction set that this machine has.
template <class T>
const UnaryLoops<T>& unaryLoops();

}  // namespace tapestry::kernels
