#include "tapestry/deeplearning/detail/pass/finite.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tapestry::detail {

namespace {

std::string textOf(auto value) { return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf"; }

/// The indices of the element at `offset`, such as "[2, 0]". If `rows` is not null, it has the first index.
std::string indicesOf(std::size_t offset, const Shape& shape, const Indices* rows) {
  std::string indices = "]";
  for (std::size_t axis = shape.rank(); axis-- > 0; offset /= shape[axis]) {
    const std::size_t index = offset % shape[axis];
    indices = (axis == 0 && rows ? std::to_string(rows->values()[index]) : std::to_string(index)) + indices;
    indices = (axis == 0 ? "[" : ", ") + indices;
  }
  return shape.rank() == 0 ? "[]" : indices;
}

template <class T>
std::string firstNonFinite(const Tensor<T>& tensor, const Indices* rows = nullptr) {
  const auto values = tensor.values();
  const auto found = std::ranges::find_if(values, [](T value) { return !std::isfinite(value); });
  if (found == values.end()) return {};
  return textOf(*found) + " at " +
         indicesOf(static_cast<std::size_t>(found - values.begin()), tensor.shape(), rows);
}

template <class T>
std::string firstNonFinite(const IndexedRows<T>& rows) {
  if (rows.empty()) return {};
  const auto merged = IndexedRows<T>(rows).merged();
  return firstNonFinite(merged.rows(), &merged.indices());
}

}  // namespace

std::string nonFinite(double value) { return std::isfinite(value) ? std::string() : textOf(value); }
std::string nonFinite(float value) { return std::isfinite(value) ? std::string() : textOf(value); }
std::string nonFinite(const Tensor<float>& value) { return firstNonFinite(value); }
std::string nonFinite(const Tensor<double>& value) { return firstNonFinite(value); }
std::string nonFinite(const IndexedRows<float>& value) { return firstNonFinite(value); }
std::string nonFinite(const IndexedRows<double>& value) { return firstNonFinite(value); }

std::range_error notFinite(std::string_view name, std::string_view what, std::string_view got,
                           std::string_view hint) {
  const bool scalar = got.find(' ') == std::string_view::npos;
  return std::range_error("tapestry::" + std::string(name) + ": " + std::string(what) +
                          " is not finite, got " + std::string(got) + ", expected " +
                          (scalar ? "a finite number" : "finite numbers") + std::string(hint));
}

DeltaNotFinite::DeltaNotFinite(std::string text)
    : std::range_error(notFinite("Tape::backward", "the delta", text)), got(std::move(text)) {}

}  // namespace tapestry::detail
