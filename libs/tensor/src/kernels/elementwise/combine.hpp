// Defines combine, which applies an elementwise function to two tensors that broadcast, and
// TAPESTRY_BINARY_KERNEL, which defines the function.
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include <tapestry/tensor/tensor.hpp>

#include "kernels/elementwise/binary_loops.hpp"
#include "kernels/layout/walk.hpp"
#include "kernels/same_shape.hpp"
#include "kernels/target.hpp"

namespace tapestry::kernels {

template <class T>
void combineRows(const Walk& walk, const T* a, const T* b, const BinaryLoop<T>& loop, T* out) {
  const std::size_t n = walk.rowLength();
  if (walk.repeatsA())
    walk.forEachRow(
        [&](std::size_t i, std::size_t j) { loop.scalarLeft(a[i], b + j, n, std::exchange(out, out + n)); });
  else if (walk.repeatsB())
    walk.forEachRow(
        [&](std::size_t i, std::size_t j) { loop.scalarRight(a + i, b[j], n, std::exchange(out, out + n)); });
  else
    walk.forEachRow(
        [&](std::size_t i, std::size_t j) { loop.both(a + i, b + j, n, std::exchange(out, out + n)); });
}

/// Writes in place of a if a is unique and has the result's shape. Throws ShapeError, naming `operation`, if
/// the shapes do not broadcast.
template <class T>
Tensor<T> combine(std::string_view operation, Tensor<T> a, const Tensor<T>& b, const BinaryLoop<T>& loop) {
  const T* const left = a.data();
  const Shape from = a.shape();
  const bool same = from == b.shape();
  const Shape to = same ? from : broadcast(from, b.shape(), operation);
  Tensor<T> result = a.unique() && from == to ? std::move(a) : Tensor<T>::uninitialized(to);
  if (same)
    loop.both(left, b.data(), result.size(), result.exclusiveData());
  else if (result.size() != 0)
    combineRows(Walk(from, b.shape(), to), left, b.data(), loop, result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> withScalarRight(Tensor<T> a, T b, const BinaryLoop<T>& loop) {
  const T* const from = a.data();
  Tensor<T> result = targetFor(std::move(a));
  loop.scalarRight(from, b, result.size(), result.exclusiveData());
  return result;
}

template <class T>
Tensor<T> withScalarLeft(T a, Tensor<T> b, const BinaryLoop<T>& loop) {
  const T* const from = b.data();
  Tensor<T> result = targetFor(std::move(b));
  loop.scalarLeft(a, from, result.size(), result.exclusiveData());
  return result;
}

/// Defines, for tensors of float and of double, the function that applies the member `name` of BinaryLoops.
#define TAPESTRY_BINARY_KERNEL(name, operation)                        \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, const Tensor<T>& b) {                    \
    return combine(operation, std::move(a), b, binaryLoops<T>().name); \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(Tensor<T> a, std::type_identity_t<T> b) {             \
    return withScalarRight<T>(std::move(a), b, binaryLoops<T>().name); \
  }                                                                    \
  template <class T>                                                   \
  Tensor<T> name(std::type_identity_t<T> a, Tensor<T> b) {             \
    return withScalarLeft<T>(a, std::move(b), binaryLoops<T>().name);  \
  }                                                                    \
  template Tensor<float> name(Tensor<float>, const Tensor<float>&);    \
  template Tensor<float> name(Tensor<float>, float);                   \
  template Tensor<float> name(float, Tensor<float>);                   \
  template Tensor<double> name(Tensor<double>, const Tensor<double>&); \
  template Tensor<double> name(Tensor<double>, double);                \
  template Tensor<double> name(double, Tensor<double>);

}  // namespace tapestry::kernels
