// Defines evaluate and backpropagate, the programs that train, predict and gradients run in their passes.
#pragma once

#include <tuple>
#include <utility>

#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/differentiable.hpp"

namespace tapestry::detail {

/// The data of all layers, one after the other: a tuple, or just the data of a single one.
template <class L>
Do<DataOf<L>> evaluate(const L& layer) {
  return forward(layer).map([](const auto& tape) { return tape.data; });
}

template <class L, class... More>
  requires(sizeof...(More) > 0)
auto evaluate(const L& layer, const More&... more) {
  return evaluate(layer).flatMap([rest = evaluate(more...)](const DataOf<L>& first) {
    return rest.map([first](const auto& others) {
      if constexpr (sizeof...(More) == 1)
        return std::tuple(first, others);
      else
        return std::tuple_cat(std::tuple(first), others);
    });
  });
}

/// Sends 1, for each element, back through the loss.
template <class L>
Do<DataOf<L>> backpropagate(const L& loss) {
  using Data = DataOf<L>;
  return forward(loss).flatMap([](const auto& tape) {
    const auto one = Do<DeltaOf<Data>>::now(DeltaOf<Data>(filledLike(tape.data, ElementOf<Data>(1))));
    return Do<void>::lift(tape.backward(one)).map([data = tape.data] { return data; });
  });
}

template <class L, class... Observed>
  requires(sizeof...(Observed) > 0)
auto backpropagate(const L& loss, const Observed&... observed) {
  return backpropagate(loss).flatMap([rest = evaluate(observed...)](const DataOf<L>& first) {
    return rest.map([first](const auto& others) {
      if constexpr (sizeof...(Observed) == 1)
        return std::tuple(first, others);
      else
        return std::tuple_cat(std::tuple(first), others);
    });
  });
}

}  // namespace tapestry::detail
