// Defines BinaryLoop, the loops of an elementwise function of two operands, and combine, which applies them
// to two tensors that broadcast.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <tapestry/tensor/tensor.hpp>

#include "kernels/layout/walk.hpp"
#include "kernels/target.hpp"

namespace tapestry::kernels {

/// One function over n values; either operand may be a single value instead. `out` may be an operand.
template <class T>
struct BinaryLoop {
  void (*both)(const T* a, const T* b, std::size_t n, T* out);
  void (*scalarRight)(const T* a, T b, std::size_t n, T* out);
  void (*scalarLeft)(T a, const T* b, std::size_t n, T* out);
};

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
  return inPlace(std::move(a),
                 [&](const T* from, std::size_t n, T* out) { loop.scalarRight(from, b, n, out); });
}

template <class T>
Tensor<T> withScalarLeft(T a, Tensor<T> b, const BinaryLoop<T>& loop) {
  return inPlace(std::move(b),
                 [&](const T* from, std::size_t n, T* out) { loop.scalarLeft(a, from, n, out); });
}

}  // namespace tapestry::kernels
