// Defines produced, which runs a program that sends the items of a stream beside a run, and the stages that
// run streams ahead of the consumer by it: buffer and merge.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "tapestry/concurrent/background.hpp"
#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/stream/detail/items.hpp"
#include "tapestry/concurrent/task.hpp"
#include "tapestry/raii/do_tuple2.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Sends the item; for one run only.
template <class A>
Do<void> sendOnce(const Channel<A>& channel, A item, StageAt at) {
  return channel.sendMade([once = Once<A>(std::move(item))]() -> A { return once.take(); }, at.location);
}

/// Sends all items to the channel, one by one.
template <class A>
Do<void> sendItems(const std::shared_ptr<Items<A>>& items, const Channel<A>& channel, StageAt at) {
  return items->ready().flatMap(
      [items, channel, at](bool ready) -> Do<void> {
        if (!ready) return Do<void>::now();
        while (items->hasNext()) {
          A item = items->take();
          if constexpr (std::is_move_assignable_v<A>)
            if (channel.trySend(std::move(item))) continue;
          return sendOnce(channel, std::move(item), at)
              .flatMap([items, channel, at] { return sendItems(items, channel, at); }, at.location);
        }
        return sendItems(items, channel, at);
      },
      at.location);
}

/// Sends all chunks to the channel.
template <class A>
Do<void> sendChunks(const Pull<A>& from, const Channel<Chunk<A>>& channel, StageAt at) {
  return from.flatMap(
      [from, channel, at](Chunk<A> items) -> Do<void> {
        if (items.empty()) return Do<void>::now();
        return sendOnce(channel, std::move(items), at)
            .flatMap([from, channel, at] { return sendChunks(from, channel, at); }, at.location);
      },
      at.location);
}

/// Calls close(error) once: with the end of the program, null after a success, or else with TaskCancelled
/// when it is destroyed, since the program was stopped or its executor refused it.
template <class F>
class ClosesAtEnd {
 public:
  explicit ClosesAtEnd(F close) : close_(std::move(close)) {}
  ClosesAtEnd(const ClosesAtEnd&) = delete;
  ClosesAtEnd& operator=(const ClosesAtEnd&) = delete;
  ~ClosesAtEnd() {
    if (!closed_) close(std::make_exception_ptr(TaskCancelled()));
  }

  void close(const std::exception_ptr& error) {
    closed_ = true;
    close_(error);
  }

 private:
  const F close_;
  bool closed_ = false;
};

/// The program, after which close(error) is called, with TaskCancelled if the program has thrown Cancelled,
/// and then the releases of the program, whose errors the result has; for one run only.
template <class F>
Do<void> closingAfter(const Do<void>& program, F close) {
  const auto end = std::make_shared<ClosesAtEnd<F>>(std::move(close));
  return program.attempt()
      .map([end](const Try<void>& result) {
        std::exception_ptr error = withoutCancelled(result.error());
        if (!error && !result.hasValue()) error = std::make_exception_ptr(TaskCancelled());
        end->close(error);
      })
      .run();
}

/// Runs the producer beside the run, until the end of the scope; when the producer ends, the channel closes
/// with its error, if any; errors of its releases fail the scope. Yields take(channel).
template <class B, class A, class F>
Do<Pull<B>> produced(const Channel<A>& channel, const Do<void>& producer, F take, StageAt at) {
  const auto close = [channel](std::exception_ptr error) { channel.close(std::move(error)); };
  return background(closingAfter(producer, close), at.operation, at.location)
      .map([pull = Pull<B>(take(channel))](const tapestry::Task<void>&) { return pull; });
}

/// The next chunk of the channel, empty if it has ended.
template <class A>
Pull<A> receiveChunk(const Channel<Chunk<A>>& channel, StageAt at) {
  return channel.receiveOrEnd(at.location)
      .map([](std::optional<Chunk<A>> items) { return items ? *std::move(items) : Chunk<A>(); }, at.location);
}

/// Opens a stream and sends its chunks to a channel that keeps none, so at most one chunk ahead.
template <class A>
auto chunksAhead(const Do<Pull<A>>& open, const Channel<Chunk<A>>& channel, StageAt at) {
  return open.flatMap([channel, at](const Pull<A>& from) { return sendChunks(from, channel, at); },
                      at.location);
}

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
