// Defines dropout, which sets elements to zero at random while a network is trained.
#pragma once

#include <cstdint>
#include <optional>

#include "tapestry/deeplearning/detail/parameters.hpp"
#include "tapestry/deeplearning/detail/run_pass.hpp"
#include "tapestry/deeplearning/kernels/dropout_mask.hpp"
#include "tapestry/deeplearning/numeric.hpp"
#include "tapestry/deeplearning/operations/multiply.hpp"

namespace tapestry {

/// In Mode::train, each element of x is 0 with probability `rate` and divided by 1 - rate otherwise, and so
/// is its delta; in Mode::predict it is x. What is drawn depends on the pass's seed (see withSeed) and on the
/// stream: that given, or the number of streams that the pass has given before. Srivastava et al., "Dropout:
/// A Simple Way to Prevent Neural Networks from Overfitting" (2014), in its inverted form. Throws
/// std::invalid_argument unless 0 <= rate < 1.
template <Numeric A>
  requires detail::isTensor<DataOf<A>>
Layer<DataOf<A>> dropout(const A& x, double rate, std::optional<std::uint64_t> stream = std::nullopt) {
  using T = detail::ElementOf<DataOf<A>>;
  detail::requireDecay("dropout", "the rate", rate);
  return Layer<DataOf<A>>(detail::currentPass().flatMap([=](const detail::Ref<detail::Pass>& pass) {
    return forward(x).flatMap([=](const auto& tape) {
      using Result = Do<std::remove_cvref_t<decltype(tape)>>;
      if (pass->mode() == Mode::predict) return Result::now(tape);
      const auto mask = kernels::dropoutMask<T>(tape.data.shape(), rate, pass->seed(),
                                                stream ? *stream : pass->nextStream());
      return forward(x * Layer<DataOf<A>>(mask));
    });
  }));
}

}  // namespace tapestry
