// Defines BinaryLoops, the inner loops of the elementwise functions of two operands.
#pragma once

#include <cstddef>

namespace tapestry::kernels {

/// One function over n values, compiled for each instruction set; either operand may be a single value
/// instead. `out` may be an operand.
template <class T>
struct BinaryLoop {
  void (*both)(const T* a, const T* b, std::size_t n, T* out);
  void (*scalarRight)(const T* a, T b, std::size_t n, T* out);
  void (*scalarLeft)(T a, const T* b, std::size_t n, T* out);
};

template <class T>
struct BinaryLoops {
  BinaryLoop<T> add, subtract, multiply, divide, maximum, minimum, where, unless;

  /// 1 where the comparison holds, else 0.
  BinaryLoop<T> greater, greaterEqual, less, lessEqual, equal, notEqual;

  /// Derivatives of a delta and an output or operand (derivative.hpp).
  BinaryLoop<T> reluDerivative, tanhDerivative, sigmoidDerivative, absDerivative;

  /// 1 where a > b, 1/2 where they are equal, else 0.
  BinaryLoop<T> maximumShare;
};

/// The loops for the best instruction set that this machine has.
template <class T>
const BinaryLoops<T>& binaryLoops();

}  // namespace tapestry::kernels
