// Defines batched, which combines the requests of many runs for one result each into calls of a batch
// function.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/detail/ask_batch.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The function is called when there are `size` requests, or when the window since the first request is over,
/// by the clock of the run that has made it. A window of 0 ends at the clock's next turn.
struct BatchPolicy {
  std::ptrdiff_t size = 100;
  Clock::Duration window{0};
};

namespace detail {

/// The signature of a batch function, Do<std::vector<Y>>(std::vector<X>); the argument may be a reference.
template <class>
struct BatchSignature {
  static constexpr bool fits = false;
};
template <class Y, class Xs>
  requires isInstance<std::vector, std::remove_cvref_t<Xs>> &&
           std::is_invocable_v<void (*)(Xs), std::remove_cvref_t<Xs>>
struct BatchSignature<std::function<Do<std::vector<Y>>(Xs)>> {
  using X = typename std::remove_cvref_t<Xs>::value_type;
  using Result = Y;
  static constexpr bool fits = std::copy_constructible<X> && std::copy_constructible<Y>;
};

template <class F>
struct BatchOf : BatchSignature<void> {};
template <class F>
  requires requires(F f) { std::function(f); }
struct BatchOf<F> : BatchSignature<decltype(std::function(std::declval<F>()))> {};

template <class F>
inline constexpr bool isBatchFunction = BatchOf<F>::fits;

}  // namespace detail

/// A function Do<Y>(X) that `batched` has made, or Do<Z>(X) where Y is a Try<Z>. Copies share their batches.
/// Usable from several threads at once, and by runs on any executors.
template <class X, class Y>
class Batched {
 public:
  explicit Batched(detail::Ref<detail::BatchState<X, Y>> state) noexcept : state_(std::move(state)) {}

  /// Requests f(argument), in a batch with the requests of other runs. Yields the result for the argument, or
  /// fails with the error of the call. A request to stop ends the wait at once, unless masked, and takes this
  /// request out of the batch.
  [[nodiscard("a program does nothing until it is run")]] auto operator()(
      X argument, detail::Location location = detail::Location::current()) const {
    using Asking = detail::AskBatch<X, Y>;
    Do<Y> asking(Asking(state_, std::move(argument), location));
    if constexpr (detail::isTry<Y>)
      return std::move(asking).map([](Y result) { return std::move(result).valueOrThrow(); }, location);
    else
      return asking;
  }

 private:
  detail::Ref<detail::BatchState<X, Y>> state_;
};

/// Many runs each request one f(x); `function`, a Do<std::vector<Y>>(std::vector<X>), is called once for all
/// requests that come within the window, or as soon as there are `size`, and yields one result for each, in
/// order. Its resources are released before the results are delivered. If it fails, all requests of the batch
/// fail with its error; a wrong number of results is an error, too. Results that are Try<Z> are values or
/// errors of single requests, each of which yields its Z or fails.
///
/// The call is a separate run, on the executor and with the slots of the run whose request began the batch,
/// and is not stopped with that run. A request that is cancelled before the call is not part of it; when all
/// requests have been cancelled, the call is asked to stop. Batches overlap: a new batch begins during the
/// calls for earlier batches. Throws std::invalid_argument for a size below 1 or a window below 0.
template <class F>
  requires detail::isBatchFunction<F>
[[nodiscard]] auto batched(F function, BatchPolicy policy) {
  using Batch = detail::BatchOf<F>;
  using X = typename Batch::X;
  using Y = typename Batch::Result;
  return Batched<X, Y>(detail::makeRef<detail::BatchState<X, Y>>(
      std::move(function), detail::atLeast(1, policy.size, "batched", "the size"),
      detail::notNegative(policy.window, "batched", "the window")));
}

void batched(...) = delete;  // expected f(std::vector<X>) that returns a Do<std::vector<Y>>, and a policy

}  // namespace tapestry
#pragma GCC visibility pop
