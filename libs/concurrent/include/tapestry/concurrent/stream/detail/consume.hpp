// Defines the consumers of streams: fold, forEach and into.
#pragma once

#include <exception>
#include <memory>
#include <utility>

#include "tapestry/concurrent/stream/detail/sender.hpp"
#include "tapestry/raii/ensure.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Calls the function with the state and each item for the next state, and yields the last state.
template <class A, class S, class F>
class Fold {
  using Self = std::shared_ptr<Fold>;

 public:
  Fold(S state, F function, StageAt at) : state_(std::move(state)), function_(std::move(function)), at_(at) {}

  /// Starts from the state that initial() returns for each run.
  template <class Initial>
  static Do<S> of(const Do<Pull<A>>& open, Initial initial, F function, StageAt at) {
    return open
        .flatMap(
            [initial = std::move(initial), function = std::move(function), at](const Pull<A>& from) {
              return next(std::make_shared<Fold>(initial(), function, at), from);
            },
            at.location)
        .run();
  }

 private:
  static Do<S> next(const Self& self, const Pull<A>& from) {
    return from.flatMap(
        [self, from](Chunk<A> items) -> Do<S> {
          if (items.empty()) return given(std::move(self->state_));
          self->state_ = self->folded(std::move(self->state_), std::move(items));
          return next(self, from);
        },
        self->at_.location);
  }

  /// The state is a parameter, which the compiler can keep in registers.
  S folded(S state, Chunk<A> items) const {
    for (auto&& item : items) state = function_(std::move(state), static_cast<A>(std::move(item)));
    return state;
  }

  S state_;
  F function_;
  StageAt at_;
};

/// All items.
template <class A>
Do<Chunk<A>> collected(const Do<Pull<A>>& open, StageAt at) {
  constexpr auto append = [](Chunk<A> all, A item) {
    all.push_back(std::move(item));
    return all;
  };
  return Fold<A, Chunk<A>, decltype(append)>::of(
      open, [] { return Chunk<A>(); }, append, at);
}

/// Calls the function with each item.
template <class A, class F>
Do<void> forEachItem(const Pull<A>& from, const F& function, StageAt at) {
  return from.flatMap(
      [from, function, at](Chunk<A> items) -> Do<void> {
        if (items.empty()) return Do<void>::now();
        for (auto&& item : items) function(static_cast<A>(std::move(item)));
        return forEachItem(from, function, at);
      },
      at.location);
}

/// Runs the program that the function returns for each item, one after the other, each in a separate scope.
template <class A, class F>
Do<void> runForEachItem(const std::shared_ptr<Items<A>>& items, const F& function, StageAt at) {
  return items->ready().flatMap(
      [items, function, at](bool ready) -> Do<void> {
        if (!ready) return Do<void>::now();
        return function(items->take())
            .run()
            .flatMap([items, function, at](auto&&...) { return runForEachItem(items, function, at); },
                     at.location);
      },
      at.location);
}

/// Sends all items, and closes the channel at the end, with the error after a failure, and with Closed after
/// a stop.
template <class A>
Do<void> sendInto(const Do<Pull<A>>& open, const Channel<A>& channel, StageAt at) {
  const auto sending = open.flatMap(
      [channel, at](const Pull<A>& from) {
        return sendItems(std::make_shared<Items<A>>(from, at), channel, at);
      },
      at.location);
  const auto closing = sending.run()
                           .map([channel] { channel.close(); })
                           .handleError([channel](const std::exception_ptr& error) {
                             channel.close(error);
                             return failed<void>(error);
                           });
  return ensure(closing, Do<void>::delay([channel] { channel.close(std::make_exception_ptr(Closed())); }));
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
