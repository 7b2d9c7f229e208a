// Defines Dropout, the layer that sets elements to zero at random while a network is trained.
#pragma once

#include <cstdint>
#include <optional>

#include "tapestry/deeplearning/operations/regularization/dropout.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// dropout(x, rate, stream), for use in `sequential`.
struct Dropout {
  double rate = 0.5;
  std::optional<std::uint64_t> stream = std::nullopt;

  auto operator()(const NumericTensor auto& x) const { return dropout(x, rate, stream); }
  void operator()(...) const = delete;  // expected a Differentiable tensor

  Weights weights() const { return {}; }
};

}  // namespace tapestry
#pragma GCC visibility pop
