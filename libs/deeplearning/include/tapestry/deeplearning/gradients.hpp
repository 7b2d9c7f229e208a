// Defines gradients, which evaluates a loss and its derivatives, and changes nothing.
#pragma once

#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "tapestry/deeplearning/detail/pass/help_scope.hpp"
#include "tapestry/deeplearning/detail/pass/run_pass.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// The weights that a delta has reached, which are kept alive so that no other node gets their addresses, and
/// their gradients, of the type DenseOf<Data>.
using KeptGradients =
    std::unordered_map<const GraphNode*, std::pair<Ref<GraphNode>, std::shared_ptr<const void>>>;
std::shared_ptr<const KeptGradients> keepGradients(const Pass& pass);

}  // namespace detail

/// A loss, and its derivative with respect to each weight that it depends on. Copied in O(1).
template <class LossT>
class Gradients {
 public:
  /// For `gradients`: keeps the deltas that reached the pass's weights.
  Gradients(const detail::Pass& pass, LossT value)
      : loss(std::move(value)), kept_(detail::keepGradients(pass)) {}

  /// Returns the derivative with respect to the weight. If no delta reached the weight, it is zero or, for
  /// user-defined data, a value-initialised delta.
  template <class Data>
  detail::DenseOf<Data> of(const Weight<Data>& weight) const {
    const auto found = kept_->find(weight.node().get());
    if (found == kept_->end()) return detail::zeroFor(weight.data());
    return *static_cast<const detail::DenseOf<Data>*>(found->second.second.get());
  }
  void of(...) const = delete;  // expected a Weight

  /// Returns the derivative as a tensor of the weight's shape. For a table, `of` returns only the rows that
  /// were read; all other rows are zero here. Cost: for a table, O(all rows).
  template <class Data>
    requires detail::HasShape<Data>
  auto denseOf(const Weight<Data>& weight) const {
    if constexpr (detail::isTensor<Data>)
      return of(weight);
    else
      return of(weight).dense(weight.data().shape());
  }
  void denseOf(...) const = delete;  // expected a Weight of a tensor or of a table

  LossT loss;  ///< the value of the loss

 private:
  std::shared_ptr<const detail::KeptGradients> kept_;
};

/// Yields the loss with its gradients or, with layers or ranges of layers to observe, a tuple of the
/// gradients and the data of these layers from the same pass. No weight changes. A loss that is not finite
/// fails the program with std::range_error, as it fails train.
template <detail::Loss L, Differentiable... Observed>
[[nodiscard]] auto gradients(const L& loss, const Observed&... observed) {
  using All = Gradients<DataOf<L>>;
  const auto finish = [](detail::Pass& pass, const auto& values) {
    auto all = [&pass, values = values] {
      const detail::HelpScope help(pass.workers());
      if constexpr (sizeof...(Observed) == 0)
        return All(pass, values);
      else
        return std::apply([&](const DataOf<L>& value,
                              const auto&... data) { return std::tuple(All(pass, value), data...); },
                          values);
    };
    return Do<decltype(all())>::delay(std::move(all));
  };
  return detail::runPass({}, detail::observing(detail::backpropagate("gradients", loss), observed...),
                         finish);
}

void gradients(  // expected a loss that is Differentiable, of scalars or tensors, and layers to observe
    ...) = delete;

}  // namespace tapestry
#pragma GCC visibility pop
