// Defines Labelled, a tensor whose axes have labels, and the choice of groups of labels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/kernels/reduction.hpp"
#include "tapestry/tensor/kernels/view.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Returns the labels for which keep(label) is true.
template <class F>
std::string chosen(const std::string& labels, const F& keep) {
  std::string result;
  std::ranges::copy_if(labels, std::back_inserter(result), keep);
  return result;
}

inline auto isIn(const std::string& labels) {
  return [&labels](char label) { return labels.find(label) != std::string::npos; };
}

inline auto isInNone(const std::string& labels) {
  return [&labels](char label) { return labels.find(label) == std::string::npos; };
}

/// A tensor and the labels of its axes.
template <class X>
struct Labelled {
  X values;
  std::string labels;

  std::size_t extentOf(const std::string& group) const {
    std::size_t size = 1;
    for (const char label : group) size *= values.shape()[labels.find(label)];
    return size;
  }

  Labelled permutedTo(const std::string& order) const {
    if (labels == order) return *this;
    std::vector<std::ptrdiff_t> axes;
    for (const char label : order) axes.push_back(static_cast<std::ptrdiff_t>(labels.find(label)));
    return {kernels::read(values, kernels::View::permuted(values.shape(), axes, "einsum")), order};
  }

  /// Sums over the labels that are not in `kept`, those of the other operand and of the result.
  Labelled summedTo(const std::string& kept) const {
    Labelled result = *this;
    for (const char label : chosen(labels, isInNone(kept))) {
      const std::size_t axis = result.labels.find(label);
      result.values = kernels::sum(result.values, Axes({static_cast<std::ptrdiff_t>(axis)}), false);
      result.labels.erase(axis, 1);
    }
    return result;
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
