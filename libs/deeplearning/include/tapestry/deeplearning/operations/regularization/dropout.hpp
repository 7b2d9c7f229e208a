// Defines dropout, which sets elements to zero at random while a network is trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/extend/node_details.hpp"
#include "tapestry/deeplearning/operation.hpp"
#include "tapestry/tensor/kernels/arithmetic.hpp"
#include "tapestry/tensor/kernels/dropout_mask.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

struct DropoutShapes : Elementwise {
  /// The cost of forward and backward in ns, with the random draws.
  static float cost(const Shape* x) noexcept { return 300 + (x ? 4 * static_cast<float>(x->size()) : 0); }
};

template <class X>
struct DropoutOperation {
  static constexpr std::string_view name = "dropout";
  static constexpr Keep kept = Keep::nothing;
  /// The mask, or none if nothing was dropped.
  using Memory = std::optional<X>;

  X forward(const X& x, Pass& pass, Memory& mask) const {
    if (pass.mode() == Mode::predict) return x;
    // the caller's streams are odd, the pass's are even
    const std::uint64_t drawn = stream ? 2 * *stream + 1 : 2 * pass.nextStream();
    mask = kernels::dropoutMaskFor(x, rate, pass.seed(), drawn);
    return kernels::multiply(x, *mask);
  }

  X derivative(X delta, const Memory& mask) const {
    return mask ? kernels::multiply(std::move(delta), *mask) : delta;
  }

  extend::Attributes attributes() const { return {{"rate", rate}}; }

  double rate;
  std::optional<std::uint64_t> stream;
  [[no_unique_address]] DropoutShapes shapes = {};
};

}  // namespace detail

/// In Mode::train, each element of x, which must be finite, becomes 0 with probability `rate` and is divided
/// by 1 - rate otherwise, and so is its delta; in Mode::predict the result is x. The draws depend on the
/// pass's seed (see withSeed) and on the stream: the given stream, or another for each dropout of the pass,
/// in the order of evaluation. Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from
/// Overfitting" (2014), in its inverted form. Throws std::invalid_argument unless 0 <= rate < 1.
template <NumericTensor A>
auto dropout(const A& x, double rate, std::optional<std::uint64_t> stream = std::nullopt) {
  detail::requireDecay("dropout", "the rate", rate);
  return detail::operationLayer(detail::DropoutOperation<DataOf<A>>{rate, stream}, x);
}

void dropout(...) = delete;  // expected a Differentiable tensor, a rate, and maybe a stream

}  // namespace tapestry
#pragma GCC visibility pop
