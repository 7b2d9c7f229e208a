// Defines the stages of a stream that run streams ahead of the consumer: buffer and merge.
#pragma once

#include <cstddef>
#include <memory>

#include "tapestry/concurrent/stream/detail/sender.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// At most `count` items wait for the consumer, besides the chunk that the stream has just yielded.
template <class A>
Do<Pull<A>> buffered(const Do<Pull<A>>& open, std::size_t count, StageAt at) {
  return Do<Pull<A>>::suspend(
      [open, count, at] {
        const Channel<A> channel(capacityOf(count));
        const Do<void> producer = open.flatMap(
            [channel, at](const Pull<A>& from) {
              return sendItems(std::make_shared<Items<A>>(from, at), channel, at);
            },
            at.location);
        return produced<A>(
            channel, producer,
            [count, at](const Channel<A>& items) { return items.receiveSome(count, at.location); }, at);
      },
      at.location);
}

/// The items of both streams as they come.
template <class A>
Do<Pull<A>> merged(const Do<Pull<A>>& first, const Do<Pull<A>>& second, StageAt at) {
  return Do<Pull<A>>::suspend(
      [first, second, at] {
        const Channel<Chunk<A>> channel(0);
        const Do<void> both =
            tuple2(parallel(chunksAhead(first, channel, at)), parallel(chunksAhead(second, channel, at)))
                .map([](const auto&) {});
        return produced<A>(
            channel, both, [at](const Channel<Chunk<A>>& chunks) { return receiveChunk(chunks, at); }, at);
      },
      at.location);
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
