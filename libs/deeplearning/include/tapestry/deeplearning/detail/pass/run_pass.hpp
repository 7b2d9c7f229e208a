// Defines runPass, which evaluates a program in a separate pass, and the programs that train, predict and
// gradients evaluate.
#pragma once

#include <tuple>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/pass/device_checks.hpp"
#include "tapestry/deeplearning/detail/pass/finite.hpp"
#include "tapestry/deeplearning/detail/pass/pass.hpp"
#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/tensor/shape.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Runs the program in the pass, releases its tapes, closes the pass, and continues with finish(pass, value).
template <class A, class F>
auto runIn(Ref<Pass> opened, Do<A> program, F finish) {
  using Acquired = typename Do<A>::Acquired;
  Pass& pass = *opened;  // until the end of the scope
  return Do<A>(UnitContinuation<Acquired>(local<PassSlot>(std::move(opened), std::move(program).acquire())))
      .run()
      .flatMap([&pass, finish = std::move(finish)](Stored<A> value) {
        return closePass(pass).flatMap(
            [&pass, finish = finish, value = std::move(value)] { return finish(pass, value); });
      });
}

/// Opens a pass, does as `runIn`, and ends the pass.
template <class A, class F>
auto runPass(PassOptions options, Do<A> program, F finish) {
  return openPass(std::move(options))
      .flatMap([program = std::move(program), finish = std::move(finish)](Ref<Pass> opened) {
        return runIn(std::move(opened), program, finish);
      })
      .run();
}

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
    const auto result = Do<Data>::now(settled(tape.data));
    const auto rest = tape.target()->send(onesFor(tape.data));
    const auto back = rest ? Do<void>::lift(*rest).flatMap([result] { return result; }) : result;
    if constexpr (TensorOfDevice<Data>)
      return requireFiniteLossOnDevice(name, tape.data).flatMap([back] { return back; });
    else
      return back;
  });
}

/// Throws std::invalid_argument for a loss, or a part of it, of several elements if the pass checks its loss.
void checkLossShape(const Pass& pass, const Shape& loss);
template <bool observes, class V>
void checkLossOf(const Pass& pass, const V& values) {
  if constexpr (observes)
    checkLossOf<false>(pass, std::get<0>(values));
  else if constexpr (isTensor<V>)
    checkLossShape(pass, values.shape());
  else if constexpr (hasParts<V>)
    mapParts(values, [&pass](const auto& part) {
      checkLossOf<false>(pass, part);
      return 0;
    });
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
