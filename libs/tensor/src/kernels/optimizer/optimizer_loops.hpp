// Defines OptimizerLoops, the inner loops of the optimizers' steps.
#pragma once

#include <cstddef>

#include <tapestry/tensor/kernels/optimizer.hpp>

namespace tapestry::kernels {

/// Adam's constants of one step: learningRate / (1 - beta1^t), 1 / (1 - beta2^t) for the second moment, and
/// the share of the weight that remains.
template <class T>
struct AdamConstants {
  T rate, beta1, beta2, epsilon, secondScale, kept;
};

/// Loops over n contiguous values, compiled for each instruction set; an output may be its own input.
template <class T>
struct OptimizerLoops {
  void (*sgd)(const T* weight, const T* gradient, std::size_t n, T rate, T* out);
  void (*momentum)(const T* weight, const T* gradient, const T* velocity, std::size_t n, T rate, T momentum,
                   T* weightOut, T* velocityOut);
  void (*adaptive)(const T* weight, const T* gradient, const T* squares, std::size_t n,
                   const AdaptiveParameters<T>& parameters, T* weightOut, T* squaresOut);
  void (*adam)(const T* weight, const T* gradient, const T* first, const T* second, std::size_t n,
               const AdamConstants<T>& constants, T* weightOut, T* firstOut, T* secondOut);
};

/// The loops for the best instruction set that this machine has.
template <class T>
const OptimizerLoops<T>& optimizerLoops();

}  // namespace tapestry::kernels
