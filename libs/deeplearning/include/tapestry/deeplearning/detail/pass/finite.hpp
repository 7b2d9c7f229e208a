// Defines nonFinite, which tells where a value is not finite, and the errors of that.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tapestry/deeplearning/detail/parts.hpp"
#include "tapestry/deeplearning/tensor_delta.hpp"
#include "tapestry/tensor/indexed_rows.hpp"
#include "tapestry/tensor/kernels/magnitude.hpp"

namespace tapestry::detail {

/// The first element that is NaN or infinite: "nan at [2, 0]", "inf" for a scalar; empty if there is none.
std::string nonFinite(double value);
std::string nonFinite(float value);
std::string nonFinite(const Tensor<float>& value);
std::string nonFinite(const Tensor<double>& value);
template <class T>
std::string nonFinite(const TensorDelta<T>& value) {
  return value.empty() ? std::string() : nonFinite(value.dense());
}
template <class T>
std::string nonFinite(const IndexedRows<T>& value) {
  return value.empty() ? std::string() : nonFinite(IndexedRows<T>(value).merged().rows());
}
/// Types of one's own are not looked into.
template <class V>
std::string nonFinite(const V& value) {
  std::string first;
  if constexpr (hasParts<V>)
    mapParts(value, [&first](const auto& part) {
      if (first.empty()) first = nonFinite(part);
      return 0;
    });
  return first;
}

// Whether all is finite, faster than by nonFinite.
inline bool isFinite(double value) noexcept { return std::isfinite(value); }
inline bool isFinite(float value) noexcept { return std::isfinite(value); }
template <class T>
bool isFinite(const Tensor<T>& value) {
  return std::isfinite(kernels::magnitude(value));
}
template <class T>
bool isFinite(const TensorDelta<T>& value) {
  return value.isFinite();
}
/// Precondition: `merged` has given the rows.
template <class T>
bool isFinite(const IndexedRows<T>& value) {
  return isFinite(value.rows());
}
/// Types of one's own are not looked into.
template <class V>
bool isFinite(const V& value) {
  return nonFinite(value).empty();
}

/// "tapestry::log: the result is not finite, got -inf, expected finite numbers"
std::range_error notFinite(std::string_view name, std::string_view what, std::string_view got,
                           std::string_view hint = {});

/// Of a delta that is sent; the engine, where it knows the operation that made it, names that.
struct DeltaNotFinite : std::range_error {
  explicit DeltaNotFinite(std::string text);
  std::string got;
};

/// Throws std::range_error for a gradient of a weight that is not finite; else gives it back.
template <class Gradient>
Gradient finiteGradient(Gradient gradient) {
  if (!isFinite(gradient))
    throw notFinite("train", "the gradient of a weight", nonFinite(gradient),
                    " (checkFinite names the operation that made it)");
  return gradient;
}

/// Throws std::range_error for a loss that is not finite.
template <class V>
void requireFiniteLoss(std::string_view name, const V& loss) {
  if (const std::string got = nonFinite(loss); !got.empty())
    throw notFinite(name, "the loss", got, " (checkFinite names the operation that made it)");
}

}  // namespace tapestry::detail
