// Defines the stages of a stream that run a program for each item, several at a time: parMap and
// parMapUnordered.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/event.hpp"
#include "tapestry/concurrent/stream/detail/sender.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The result of the program of one item.
template <class B>
struct MappedSlot {
  Event ended;
  std::optional<Try<B>> result;
};

/// For one consumer. At most `limit` programs run or have results that the consumer has not taken.
template <class A, class F>
class ParMapStage {
  using B = typename ResultOf<F, A>::ValueType;
  using Slot = std::shared_ptr<MappedSlot<B>>;
  using Self = std::shared_ptr<const ParMapStage>;

 public:
  ParMapStage(F function, std::size_t limit, bool inOrder, StageAt at)
      : function_(std::move(function)),
        inOrder_(inOrder),
        at_(at),
        running_(capacityOf(limit)),
        slots_(Channel<Slot>::unbounded()) {}

  /// Results come in the order of the items if `inOrder` is true, or else in the order of the ends. Throws
  /// std::invalid_argument for a limit of 0.
  static Do<Pull<B>> opening(const Do<Pull<A>>& open, F function, std::size_t limit, bool inOrder,
                             StageAt at) {
    positive(limit, at.operation, "the limit");
    return Do<Pull<B>>::suspend(
        [=] {
          const Self self = std::make_shared<const ParMapStage>(function, limit, inOrder, at);
          const Do<void> producer = open.flatMap(
              [self](const Pull<A>& from) {
                return Supervisor::scoped({SupervisorOptions::OnExit::join}, self->at_.location)
                    .flatMap([self, from](const Supervisor& supervisor) {
                      return start(self, supervisor, std::make_shared<Items<A>>(from, self->at_));
                    })
                    .run();
              },
              at.location);
          return produced<B>(
              self->slots_, producer, [self](const Channel<Slot>&) { return next(self); }, at);
        },
        at.location);
  }

 private:
  static Do<void> start(const Self& self, const Supervisor& supervisor,
                        const std::shared_ptr<Items<A>>& items) {
    return items->ready().flatMap(
        [self, supervisor, items](bool ready) -> Do<void> {
          if (!ready) return Do<void>::now();
          return self->running_.send(Unit{}, self->at_.location)
              .flatMap([self, supervisor, items] { return spawn(self, supervisor, items->take()); },
                       self->at_.location)
              .flatMap([self, supervisor, items] { return start(self, supervisor, items); },
                       self->at_.location);
        },
        self->at_.location);
  }

  static Do<void> spawn(const Self& self, const Supervisor& supervisor, A item) {
    auto slot = std::make_shared<MappedSlot<B>>();
    const Do<B> program = Do<B>::suspend(
        [self, once = Once<A>(std::move(item))] { return Do<B>(self->function_(once.take())); },
        self->at_.location);
    const Do<void> storing = program.run().attempt().map(
        [slot](Try<B> result) { slot->result.emplace(std::move(result)); }, self->at_.location);
    // a program without a result was cancelled, or its executor has refused it before it began
    const auto end = [self, slot](const std::exception_ptr& stopped) {
      if (!slot->result) slot->result.emplace(Try<B>::failure(stopped));
      if (slot->ended.set() && !self->inOrder_) self->slots_.trySend(slot);
    };
    return supervisor.spawn(closingAfter(storing, end), {}, self->at_.location)
        .map(
            [self, slot](const tapestry::Task<void>&) {
              if (self->inOrder_) self->slots_.trySend(slot);
            },
            self->at_.location);
  }

  static Pull<B> next(const Self& self) {
    return self->slots_.receiveOrEnd(self->at_.location)
        .flatMap(
            [self](std::optional<Slot> received) -> Pull<B> {
              if (!received) return given(Chunk<B>());
              return (*received)
                  ->ended.wait(self->at_.location)
                  .map(
                      [self, slot = *received] {
                        self->running_.tryReceive();
                        return chunkOf<B>(std::move(*slot->result).valueOrThrow());
                      },
                      self->at_.location);
            },
            self->at_.location);
  }

  F function_;
  bool inOrder_;
  StageAt at_;
  Channel<Unit> running_;
  Channel<Slot> slots_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
