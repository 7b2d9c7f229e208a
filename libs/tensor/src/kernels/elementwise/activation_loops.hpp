// Defines ActivationLoops, the inner loops of activations and of their derivatives.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// Loops over n contiguous values, compiled for each instruction set; `out` may be an operand. The parameter
/// is the slope or alpha of activations that have one.
template <class T>
struct ActivationLoop {
  void (*value)(const T* x, T parameter, std::size_t n, T* out);
  void (*derivative)(const T* delta, const T* x, T parameter, std::size_t n, T* out);
};

template <class T>
struct ActivationLoops {
  ActivationLoop<T> silu, gelu, leakyRelu, elu;
};

/// The loops for the best instruction set that this machine has.
template <class T>
const ActivationLoops<T>& activationLoops();

}  // namespace tapestry::kernels
