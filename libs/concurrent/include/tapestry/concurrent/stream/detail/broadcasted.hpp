// Defines the consumer of a stream that gives each item to several consumers: broadcast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tapestry/concurrent/stream/detail/sender.hpp"
#include "tapestry/raii/do_tuple2.hpp"
#include "tapestry/raii/ensure.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// One channel for each consumer, with room for one chunk. A consumer that has ended has closed its channel.
template <class A>
class BroadcastStage {
  using Shared = std::shared_ptr<const Chunk<A>>;
  using Self = std::shared_ptr<const BroadcastStage>;

  /// Makes the item of a consumer, which is dropped if the consumer has ended.
  struct Offered {
    using DroppedIfClosed = void;
    Shared operator()() const { return items; }
    Shared items;
  };

 public:
  BroadcastStage(std::size_t consumers, StageAt at) : at_(at) {
    for (std::size_t i = 0; i != consumers; ++i) channels_.emplace_back(1);
  }

  /// Yields the value of consume(stage), beside which the stream runs.
  template <class F>
  static auto beside(const Do<Pull<A>>& open, std::size_t consumers, F consume, StageAt at) {
    using Result = std::invoke_result_t<const F&, const Self&>;
    return Result::suspend(
               [=] {
                 const Self self = std::make_shared<const BroadcastStage>(consumers, at);
                 const auto sending =
                     open.flatMap([self](const Pull<A>& from) { return sendAll(self, from); }, at.location);
                 const auto close = [self](const std::exception_ptr& error) {
                   for (const auto& channel : self->channels_) channel.close(error);
                 };
                 return background(closingAfter(sending, close), at.operation, at.location)
                     .flatMap([self, consume](const tapestry::Task<void>&) { return consume(self); });
               },
               at.location)
        .run();
  }

  /// The items for the consumer with the index.
  static Pull<A> pullOf(const Self& self, std::size_t index) {
    return self->channels_[index]
        .receiveOrEnd(self->at_.location)
        .map([](const std::optional<Shared>& items) { return items ? **items : Chunk<A>(); },
             self->at_.location);
  }

  /// The consumer's program; when it has ended, the other consumers get the items without it.
  template <class B>
  static Do<B> consuming(const Self& self, std::size_t index, const Do<B>& program) {
    return tapestry::ensure(program, Do<void>::delay([self, index] { self->channels_[index].close(); }));
  }

 private:
  /// Ends with the stream, or when all consumers have ended.
  static Do<void> sendAll(const Self& self, const Pull<A>& from) {
    const auto hasEnded = [](const Channel<Shared>& channel) { return channel.isClosed(); };
    if (std::ranges::all_of(self->channels_, hasEnded)) return Do<void>::now();
    return from.flatMap(
        [self, from](Chunk<A> items) -> Do<void> {
          if (items.empty()) return Do<void>::now();
          return send(self, std::make_shared<const Chunk<A>>(std::move(items)), 0)
              .flatMap([self, from] { return sendAll(self, from); }, self->at_.location);
        },
        self->at_.location);
  }

  /// Gives the items to the consumers from the index on that have not ended.
  static Do<void> send(const Self& self, const Shared& items, std::size_t index) {
    if (index == self->channels_.size()) return Do<void>::now();
    return self->channels_[index]
        .sendMade(Offered{items}, self->at_.location)
        .flatMap([self, items, index] { return send(self, items, index + 1); }, self->at_.location);
  }

  std::vector<Channel<Shared>> channels_;
  StageAt at_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
