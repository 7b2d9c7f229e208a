// Defines trainMicroBatches, which takes one step on the mean gradient of the losses of several batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <stdexcept>
#include <utility>
#include <vector>

#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/pass/run_reduced.hpp"
#include "tapestry/raii/par_traverse.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Evaluates the loss and sends its delta back, in a part of the pass that ends afterwards.
template <class L>
Do<DataOf<L>> backpropagateInPart(const Ref<Pass>& whole, std::uint64_t number, const L& loss) {
  return runPass({.whole = whole, .part = number}, backpropagate("trainMicroBatches", loss),
                 [&total = *whole](Pass& part, const DataOf<L>& value) {
                   checkLossOf<false>(part, value);
                   return handOver(part, total).map([value = value] { return value; });
                 });
}

template <class R, class F>
using LossesOf = std::vector<DataOf<std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>>>;

/// Evaluates the losses of all batches in parts of the pass of the run.
template <class R, class F>
Do<LossesOf<R, F>> backpropagateAll(R batches, std::size_t limit, F lossOf, Location location) {
  using Numbered = std::pair<std::uint64_t, std::ranges::iterator_t<R>>;
  checkedLimit("trainMicroBatches", limit);
  return currentPass().flatMap(
      [batches = std::make_shared<R>(std::move(batches)), limit, lossOf, location](const Ref<Pass>& whole) {
        // numbered, so that each draws the same in any order
        std::vector<Numbered> numbered;
        for (auto at = std::ranges::begin(*batches); at != std::ranges::end(*batches); ++at)
          numbered.emplace_back(numbered.size(), at);
        return Do<LossesOf<R, F>>(tapestry::parTraverse(
            std::move(numbered), limit,
            [batches, whole, lossOf](const Numbered& batch) {
              return backpropagateInPart(whole, batch.first, lossOf(*batch.second));
            },
            location));
      });
}

/// Returns the factor that makes a mean of the sum of all gradients.
double shareOf(const auto& losses) {
  if (losses.empty())
    throw std::invalid_argument("tapestry::trainMicroBatches: no batches, got 0, expected at least 1");
  return 1 / static_cast<double>(losses.size());
}

/// A range, and a function that makes a loss of each of its elements.
template <class F, class R>
concept LossOfEach = Loss<std::invoke_result_t<const F&, std::ranges::range_reference_t<R>>>;

}  // namespace detail

/// Evaluates lossOf(batch) for each batch of a range, at most `limit` at a time, and takes one step of each
/// weight on the mean of their gradients. If the losses are means over batches of one size, this is the
/// gradient of one large batch, in the memory of `limit` small batches. Yields the losses in order. All
/// batches read the value that a weight has at its first use; layers draw random numbers anew for each batch.
/// Otherwise as `train`: all or nothing. Fails with std::invalid_argument if there is no batch. Throws
/// std::invalid_argument for a limit of 0.
template <std::ranges::forward_range R, class F>
  requires detail::LossOfEach<F, R>
[[nodiscard]] auto trainMicroBatches(R batches, std::size_t limit, F lossOf,
                                     std::optional<ClipByGlobalNorm> clip = std::nullopt,
                                     detail::Location location = detail::Location::current()) {
  using Losses = detail::LossesOf<R, F>;
  return detail::runPass(
      {}, detail::backpropagateAll(std::move(batches), limit, std::move(lossOf), location),
      [clip](detail::Pass& pass, const Losses& losses) {
        const double share = detail::shareOf(losses);
        detail::requireTrained(pass);
        return detail::commitPass(pass, clip, share).map([losses = losses] { return losses; });
      });
}
/// The same, combined with passes elsewhere, as train(loss, reduction). The exchange begins when the last
/// batch has ended.
template <std::ranges::forward_range R, class F>
  requires detail::LossOfEach<F, R>
[[nodiscard]] auto trainMicroBatches(R batches, std::size_t limit, F lossOf, const Reduction& reduction,
                                     std::optional<ClipByGlobalNorm> clip = std::nullopt,
                                     detail::Location location = detail::Location::current()) {
  using Losses = detail::LossesOf<R, F>;
  return detail::runReduced(
      reduction, detail::backpropagateAll(std::move(batches), limit, std::move(lossOf), location), clip,
      [](detail::Pass&, const Losses& losses) { return detail::shareOf(losses); });
}

void trainMicroBatches(...) = delete;  // expected a range of batches, a limit, and a loss as their function

}  // namespace tapestry
#pragma GCC visibility pop
