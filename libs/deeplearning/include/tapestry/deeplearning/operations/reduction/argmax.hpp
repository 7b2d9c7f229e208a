// Defines argmax, where the largest elements along an axis are.
#pragma once

#include <cstddef>

#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/tensor.hpp"

namespace tapestry {

/// The index along the axis of the first of the largest elements, or of the first NaN. The axis is left out
/// of the result's shape, or of extent 1 with `keepDims`; a negative one counts from the last. Of data alone:
/// no delta could come back; of a layer, take its value, as in predict(layer).map(...). ShapeError for an
/// axis out of range, and for one of extent 0.
template <class T>
Indices argmax(const Tensor<T>& x, std::ptrdiff_t axis, bool keepDims = false);

extern template Indices argmax(const Tensor<float>&, std::ptrdiff_t, bool);
extern template Indices argmax(const Tensor<double>&, std::ptrdiff_t, bool);

void argmax(...) = delete;  // expected a Tensor, data alone, such as predict(layer).map(...) gives; an axis

}  // namespace tapestry
