// Defines evaluate and backpropagate, the programs that train, predict and gradients run in their passes.
#pragma once

#include <tuple>

#include "tapestry/deeplearning/detail/pass/device_checks.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/detail/value.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

template <Differentiable L>
Do<DataOf<L>> evaluate(const L& layer) {
  return forward(layer).map([](const auto& tape) { return settled(tape.data); });
}

/// Appends the layer's data, evaluated after the program, to the program's tuple.
template <class Tuple, Differentiable L>
auto append(const Do<Tuple>& program, const L& layer) {
  return program.flatMap([next = evaluate(layer)](const Tuple& data) {
    return next.map(
        [data](const DataOf<L>& own) { return std::tuple_cat(data, std::tuple<DataOf<L>>(own)); });
  });
}
template <class Tuple, Differentiable L, class... More>
auto append(const Do<Tuple>& program, const L& layer, const More&... more) {
  return append(append(program, layer), more...);
}

/// The program's data or, if there are layers to observe, a tuple of its data and the layers' data.
template <class A, class... Observed>
auto observing(const Do<A>& program, const Observed&... observed) {
  if constexpr (sizeof...(Observed) == 0)
    return program;
  else
    return append(program.map([](const auto& data) { return std::tuple<A>(data); }), observed...);
}

/// Data whose sum is a loss: scalars, tensors, and tuples and ranges of these.
template <class T>
concept Loss = Differentiable<T> && hasElements<DataOf<T>>;

/// Fails with std::range_error for a loss of a device that is not finite, if the pass checks that.
Do<void> requireFiniteLossOnDevice(const char* name, const TensorOfDevice auto& loss) {
  return currentPass().flatMap([name, loss](const Ref<Pass>& pass) {
    const Watch* watch = pass->watch();
    return watch && watch->checksFinite ? requireFiniteOnDevice(name, "the loss", loss) : Do<void>::now();
  });
}

/// Sends 1, for each element, back through the loss. Fails with std::range_error if the loss is not finite.
template <class L>
Do<DataOf<L>> backpropagate(const char* name, const L& loss) {
  using Data = DataOf<L>;
  return forward(loss).flatMap([name](const auto& tape) {
    requireFiniteLoss(name, tape.data);
    const auto one = Do<DeltaOf<Data>>::now(onesFor(tape.data));
    const auto back = Do<void>::lift(tape.backward(one)).map([data = settled(tape.data)] { return data; });
    if constexpr (TensorOfDevice<Data>)
      return requireFiniteLossOnDevice(name, tape.data).flatMap([back] { return back; });
    else
      return back;
  });
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
