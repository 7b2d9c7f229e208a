// Defines nonFinite, which finds an element that is not finite, and the errors for such elements.
#pragma once

#include <cmath>
#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tapestry/deeplearning/detail/parts.hpp"
#include "tapestry/deeplearning/tensor_delta.hpp"
#include "tapestry/tensor/indexed_rows.hpp"
#include "tapestry/tensor/kernels/magnitude.hpp"
#include "tapestry/tensor/table.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Describes the first element that is NaN or infinite: "nan at [2, 0]", "inf" for a scalar; empty if there
/// is none.
std::string nonFinite(double value);
std::string nonFinite(float value);
std::string nonFinite(const Tensor<float>& value);
std::string nonFinite(const Tensor<double>& value);
template <class T>
std::string nonFinite(const TensorDelta<T>& value) {
  return value.empty() ? std::string() : nonFinite(value.dense());
}
/// The first index is that of the row in the table.
std::string nonFinite(const IndexedRows<float>& value);
std::string nonFinite(const IndexedRows<double>& value);
template <class T>
std::string nonFinite(const Table<T>& value) {
  return nonFinite(value.dense());
}
/// User-defined types are not checked.
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

// Whether all elements are finite; faster than nonFinite.
inline bool isFinite(const std::floating_point auto& value) noexcept { return std::isfinite(value); }
template <class T>
bool isFinite(const Tensor<T>& value) {
  return std::isfinite(kernels::magnitude(value));
}
template <class T>
bool isFinite(const TensorDelta<T>& value) {
  return value.isFinite();
}
/// Precondition: the rows are a result of `merged`.
template <class T>
bool isFinite(const IndexedRows<T>& value) {
  return isFinite(value.rows());
}
/// User-defined types are not checked.
bool isFinite(const auto& value) { return nonFinite(value).empty(); }

/// "tapestry::log: the result is not finite, got -inf, expected finite numbers"
std::range_error notFinite(std::string_view name, std::string_view what, std::string_view got,
                           std::string_view hint = {});

/// The error for a delta that is sent back; the engine replaces it by an error that names the operation, if
/// it knows it.
struct DeltaNotFinite : std::range_error {
  explicit DeltaNotFinite(std::string text);
  std::string got;
};

/// Throws std::range_error for a gradient of a weight that is not finite; else returns the gradient.
template <class Gradient>
Gradient finiteGradient(Gradient gradient) {
  if (!isFinite(gradient))
    throw notFinite("train", "the gradient of a weight", nonFinite(gradient),
                    " (checkFinite names the operation that made it)");
  return gradient;
}

/// Throws std::range_error for a loss that is not finite.
void requireFiniteLoss(std::string_view name, const auto& loss) {
  if (const std::string got = nonFinite(loss); !got.empty())
    throw notFinite(name, "the loss", got, " (checkFinite names the operation that made it)");
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
