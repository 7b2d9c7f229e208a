// Defines evaluate and backpropagate, the programs that train, predict and gradients run in their passes.
#pragma once

#include <tuple>
#include <utility>

#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/raii/do_tuple2.hpp"

namespace tapestry::detail {

template <Differentiable L>
Do<DataOf<L>> evaluate(const L& layer) {
  return forward(layer).map([](const auto& tape) { return settled(tape.data); });
}

/// The data of all, one after the other, as a tuple.
template <class L, class... More>
  requires(sizeof...(More) > 0)
auto evaluate(const L& layer, const More&... more) {
  return evaluate(layer).flatMap([rest = evaluate(more...)](const auto& first) {
    return rest.map([first](const auto& others) {
      if constexpr (sizeof...(More) == 1)
        return std::tuple(first, others);
      else
        return std::tuple_cat(std::tuple(first), others);
    });
  });
}

/// Data whose sum is a loss: scalars, tensors, and tuples and ranges of these.
template <class T>
concept Loss = Differentiable<T> && hasElements<DataOf<T>>;

/// Sends 1, for each element, back through the loss. Fails with std::range_error if that is not finite.
template <class L>
Do<DataOf<L>> backpropagate(const char* name, const L& loss) {
  using Data = DataOf<L>;
  return forward(loss).flatMap([name](const auto& tape) {
    requireFiniteLoss(name, tape.data);
    const auto one = Do<DeltaOf<Data>>::now(onesFor(tape.data));
    return Do<void>::lift(tape.backward(one)).map([data = settled(tape.data)] { return data; });
  });
}

template <class L, class... Observed>
  requires(sizeof...(Observed) > 0)
auto backpropagate(const char* name, const L& loss, const Observed&... observed) {
  return backpropagate(name, loss).flatMap([rest = evaluate(observed...)](const DataOf<L>& first) {
    return rest.map([first](const auto& others) {
      if constexpr (sizeof...(Observed) == 1)
        return std::tuple(first, others);
      else
        return std::tuple_cat(std::tuple(first), others);
    });
  });
}

}  // namespace tapestry::detail
