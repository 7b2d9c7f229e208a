// Defines StreamConsumers, the functions that consume a Stream.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/stream/detail/broadcasted.hpp"
#include "tapestry/concurrent/stream/detail/consume.hpp"
#include "tapestry/concurrent/stream/detail/par_map.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
  requires std::is_nothrow_move_constructible_v<A>
class Stream;

namespace detail {

/// Whether forEach may drop the result of the function. A layer, a stream or a coroutine would do nothing,
/// and the error of a program of a Try or a Resource would be lost.
template <class F, class A>
inline constexpr bool dropsResult = madeOf<F, A> == Made::plain && !requires {
  typename ResultOf<F, A>::IsStream;
} && !requires { typename ResultOf<F, A>::promise_type; };

}  // namespace detail

/// The member functions of Stream<A> (tapestry/concurrent/stream/stream.hpp) that consume its items. Each is
/// a scope: it yields when the stream has released everything.
template <class A>
class StreamConsumers {
  using Location = detail::Location;

 public:
  /// Computes the next state f(state, item) for each item, from the initial state on; yields the last state.
  template <std::copyable S, class F>
    requires std::is_invocable_r_v<S, const F&, S, A>
  Do<S> fold(S initial, F function, Location location = Location::current()) const {
    auto state = [initial = std::move(initial)] { return initial; };
    return detail::Fold<A, S, F>::of(open_, std::move(state), std::move(function),
                                     {"Stream::fold", location});
  }
  void fold(  // expected a state that can be copied, and a const f(state, item), the next state
      ...) const = delete;

  /// For each item in turn, calls f(item), or runs the program that it returns in a separate scope. An f that
  /// returns a layer, a stream, a coroutine, or a program of a Try or a Resource is refused.
  template <class F>
    requires(detail::isMadeDo<F, A> || detail::dropsResult<F, A>)
  Do<void> forEach(F function, Location location = Location::current()) const {
    const detail::StageAt at{"Stream::forEach", location};
    return open_
        .flatMap(
            [function = std::move(function), at](const Pull<A>& from) {
              if constexpr (detail::isMadeDo<F, A>)
                return detail::runForEachItem(std::make_shared<detail::Items<A>>(from, at),
                                              detail::makingDo<A>(function), at);
              else
                return detail::forEachItem(from, function, at);
            },
            location)
        .run();
  }
  /// As above, with up to `limit` programs at a time, which run beside the stream. If a program fails, the
  /// others are cancelled. Throws std::invalid_argument for 0.
  template <class F>
    requires detail::isMadeDo<F, A>
  Do<void> forEach(std::size_t limit, F function, Location location = Location::current()) const {
    const detail::StageAt at{"Stream::forEach", location};
    auto making = [function = detail::makingDo<A>(function)](A item) {
      return function(std::move(item)).map([](auto&&...) { return Unit{}; });
    };
    static constexpr auto drop = [](Unit) {};
    return detail::ParMapStage<A, decltype(making)>::opening(open_, std::move(making), limit, false, at)
        .flatMap([at](const Pull<Unit>& ends) { return detail::forEachItem(ends, drop, at); }, location)
        .run();
  }
  void forEach(  // expected a function f(item), const, not mutable; after a limit, one that returns a Do
      ...) const = delete;

  /// All items, in order.
  Do<std::vector<A>> toVector(Location location = Location::current()) const {
    return detail::collected(open_, {"Stream::toVector", location});
  }

  /// Sends the items to the channel, and closes it when the stream ends, with the error if it fails, and with
  /// Closed if the run is stopped.
  Do<void> into(const Channel<A>& channel, Location location = Location::current()) const {
    return detail::sendInto(open_, channel, {"Stream::into", location});
  }

  /// Delivers each item to all the consumers, functions from a Stream<A> to the program that consumes it,
  /// which run side by side; yields a tuple of their values, as tupleN. The slowest consumer sets the pace,
  /// one chunk apart; a consumer that has ended delays no other.
  template <class... Fs>
    requires(sizeof...(Fs) > 0) && std::copy_constructible<A> &&
            (detail::isDo<std::invoke_result_t<const Fs&, const Stream<A>&>> && ...)
  auto broadcast(Fs... consumers) const {
    using Stage = detail::BroadcastStage<A>;
    auto consume = [consumers...](const std::shared_ptr<const Stage>& stage) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        const auto streamOf = [&stage](std::size_t index) {
          return Stream<A>(Do<Pull<A>>::now(Stage::pullOf(stage, index)));
        };
        return tapestry::tupleN(
            tapestry::parallel(Stage::consuming(stage, I, Do(consumers(streamOf(I)))))...);
      }(std::index_sequence_for<Fs...>());
    };
    return Stage::beside(open_, sizeof...(Fs), std::move(consume), {"Stream::broadcast", {}});
  }
  void broadcast(...) const = delete;  // expected functions f(Stream<A>), const, that return a Do

  /// Opens the stream for one consumer, in the scope: for user-defined stages.
  const Do<Pull<A>>& open() const noexcept { return open_; }

 protected:
  explicit StreamConsumers(Do<Pull<A>> open) noexcept : open_(std::move(open)) {}

  Do<Pull<A>> open_;
};

}  // namespace tapestry
#pragma GCC visibility pop
