// Defines Stream, a description of a sequence of items that are made on demand.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/detail/arguments.hpp"
#include "tapestry/concurrent/stream/consumers.hpp"
#include "tapestry/concurrent/stream/detail/flat_map.hpp"
#include "tapestry/concurrent/stream/detail/par_map.hpp"
#include "tapestry/concurrent/stream/detail/parts.hpp"
#include "tapestry/concurrent/stream/detail/sender.hpp"
#include "tapestry/concurrent/stream/detail/staged.hpp"
#include "tapestry/concurrent/stream/detail/timed.hpp"
#include "tapestry/concurrent/stream/detail/zip.hpp"
#include "tapestry/concurrent/stream/sources.hpp"
#include "tapestry/raii/timeout.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// A lazy, immutable description of a sequence of A, finite or not, which may fail. Each consumer (`fold`,
/// `forEach`, `toVector`, `into`) begins the stream afresh, and requests items as it uses them; nothing runs
/// beside the consumer, except for the stages that say so. Copied in O(1), usable from several threads at
/// once. StreamSources has the functions that make a stream, and StreamConsumers the functions that consume
/// it.
///
/// The resources of sources and stages are released, in the reverse order, when the consumer ends, whether by
/// the end of the stream, enough items, an error or a request to stop. An error comes after the items before
/// it.
///
/// Items move in chunks, so that a stage costs some nanoseconds an item: a range gives 16 KiB of items at a
/// time, but at least 16 and at most 2,048 items, and a stage such as map calls its function for all of them,
/// even if `take` needs fewer. A stage that waits, such as mapDo, passes each item on as soon as it has it.
/// Functions that are given to stages are const, as all functions here.
template <class A>
  requires std::is_nothrow_move_constructible_v<A>
class [[nodiscard("a stream does nothing until it is consumed")]] Stream : public StreamSources<A>,
                                                                           public StreamConsumers<A> {
  using Location = detail::Location;
  using Tick = detail::Ticks;
  using StreamConsumers<A>::open_;

 public:
  using ValueType = A;

  /// From a program that opens the stream for one consumer, in the consumer's scope.
  explicit Stream(Do<Pull<A>> open) noexcept : StreamConsumers<A>(std::move(open)) {}

  // Stages. No stage runs anything before a consumer requests items.

  /// The result of f(item) for each item.
  template <class F>
    requires detail::accepts<F, A> && (!std::is_void_v<detail::ResultOf<F, A>>)
  auto map(F function, Location location = Location::current()) const {
    using B = detail::ResultOf<F, A>;
    return stage(detail::MapStage<A, B, F>{std::move(function)}, {"Stream::map", location});
  }
  void map(...) const = delete;  // expected a function f(item), const, not mutable, that returns a value

  /// The value of the program f(item) for each item, one program after the other. The resources of a program
  /// are released when it has ended.
  template <class F>
    requires detail::MakesItems<F, A>
  auto mapDo(F function, Location location = Location::current()) const {
    auto making = detail::makingDo<A>(function);
    return made(detail::mappedDo<A>(open_, std::move(making), {"Stream::mapDo", location}));
  }
  void mapDo(  // expected a function f(item), const, that returns a Do or a program of a value
      ...) const = delete;

  /// As mapDo, with up to `limit` programs at a time, which run beside the consumer, ahead of it; results
  /// come in the order of the items. If a program fails, the results before it come first; the other programs
  /// are cancelled then. Throws std::invalid_argument for 0.
  template <class F>
    requires detail::MakesItems<F, A>
  auto parMap(std::size_t limit, F function, Location location = Location::current()) const {
    return mappedBy(limit, std::move(function), true, {"Stream::parMap", location});
  }
  void parMap(...) const = delete;  // expected a limit, and a function f(item), const, that returns a Do<B>

  /// As parMap, in the order in which the programs end.
  template <class F>
    requires detail::MakesItems<F, A>
  auto parMapUnordered(std::size_t limit, F function, Location location = Location::current()) const {
    return mappedBy(limit, std::move(function), false, {"Stream::parMapUnordered", location});
  }
  void parMapUnordered(  // expected a limit, and a function f(item), const, that returns a Do<B>
      ...) const = delete;

  /// The items for which the predicate is true.
  template <class F>
    requires std::predicate<const F&, const A&>
  Stream filter(F predicate, Location location = Location::current()) const {
    return stage(detail::FilterStage<A, F>{std::move(predicate)}, {"Stream::filter", location});
  }
  void filter(...) const = delete;  // expected a predicate f(const item&), const, not mutable

  /// The items of the stream f(item) for each item, one stream after the other. The resources of a stream are
  /// released when it has ended, before the next begins.
  template <class F>
    requires detail::accepts<F, A> && requires { typename detail::ResultOf<F, A>::IsStream; }
  auto flatMap(F function, Location location = Location::current()) const {
    return made(
        detail::FlatMapStage<A, F>::opening(open_, std::move(function), {"Stream::flatMap", location}));
  }
  void flatMap(...) const = delete;  // expected a function f(item), const, that returns a Stream

  /// The items of this stream, then the items of the other.
  Stream concat(Stream other, Location location = Location::current()) const {
    return Stream<Stream>::of({*this, std::move(other)}).flatMap([](Stream part) { return part; }, location);
  }

  /// The next state f(state, item) for each item, from the initial state on, which is not an item itself.
  template <std::copyable S, class F>
    requires std::is_invocable_r_v<S, const F&, S, A>
  auto scan(S initial, F function, Location location = Location::current()) const {
    return stage(detail::ScanStage<A, S, F>{std::move(initial), std::move(function)},
                 {"Stream::scan", location});
  }
  void scan(  // expected a state that can be copied, and a const f(state, item), the next state
      ...) const = delete;

  /// The first `count` items. No more are requested.
  Stream take(std::uint64_t count, Location location = Location::current()) const {
    if (count == 0) return Stream::empty();
    return stage(detail::TakeStage<A>{count}, {"Stream::take", location});
  }
  /// The items before the first item for which the predicate is false.
  template <class F>
    requires std::predicate<const F&, const A&>
  Stream takeWhile(F predicate, Location location = Location::current()) const {
    return stage(detail::TakeWhileStage<A, F>{std::move(predicate)}, {"Stream::takeWhile", location});
  }
  void takeWhile(...) const = delete;  // expected a predicate f(const item&), const, not mutable
  /// All but the first `count` items.
  Stream drop(std::uint64_t count, Location location = Location::current()) const {
    return stage(detail::DropStage<A>{count}, {"Stream::drop", location});
  }
  /// The items from the first item on for which the predicate is false.
  template <class F>
    requires std::predicate<const F&, const A&>
  Stream dropWhile(F predicate, Location location = Location::current()) const {
    return stage(detail::DropWhileStage<A, F>{std::move(predicate)}, {"Stream::dropWhile", location});
  }
  void dropWhile(...) const = delete;  // expected a predicate f(const item&), const, not mutable

  /// The items in vectors of `size`; the last one may be smaller. Throws std::invalid_argument for 0.
  auto chunk(std::size_t size, Location location = Location::current()) const {
    return stage(detail::ChunkStage<A>{detail::positive(size, "Stream::chunk", "the size")},
                 {"Stream::chunk", location});
  }
  /// As above; a vector also ends when the window has passed since its first item came. The stream runs
  /// beside the consumer, one chunk ahead. Throws std::invalid_argument for a window below 0.
  auto chunk(std::size_t size, Tick window, Location location = Location::current()) const {
    const detail::StageAt at{"Stream::chunk", location};
    using Stage = detail::ChunkWithinStage<A>;
    return made(detail::openAhead<Stage>(open_, at, detail::positive(size, "Stream::chunk", "the size"),
                                         detail::notNegative(window.count, "Stream::chunk", "the window")));
  }

  /// The same items; the stream runs beside the consumer, so that up to `count` items wait for it. Throws
  /// std::invalid_argument for 0.
  Stream buffer(std::size_t count, Location location = Location::current()) const {
    return made(detail::buffered(open_, detail::positive(count, "Stream::buffer", "the count"),
                                 {"Stream::buffer", location}));
  }

  /// The items of both streams as they come; both run beside the consumer. Ends when both have ended, and
  /// fails when either fails.
  Stream merge(const Stream& other, Location location = Location::current()) const {
    return made(detail::merged(open_, other.open(), {"Stream::merge", location}));
  }
  /// Pairs of an item of each stream, until either ends, at which the other is no longer waited for.
  template <class B>
  auto zip(const Stream<B>& other, Location location = Location::current()) const {
    using Pair = std::pair<A, B>;
    return made(detail::ofBoth<Pair>(open_, other.open(), detail::ZipItems(), {"Stream::zip", location}));
  }
  /// Items of this stream and the other in turn, until the stream whose turn it is has ended.
  Stream interleave(const Stream& other, Location location = Location::current()) const {
    return made(
        detail::ofBoth<A>(open_, other.open(), detail::InterleaveItems(), {"Stream::interleave", location}));
  }

  /// The same items, at least the interval apart. Throws std::invalid_argument for an interval below 0.
  Stream throttle(Tick interval, Location location = Location::current()) const {
    return made(detail::ThrottleStage<A>::opening(
        open_, detail::notNegative(interval.count, "Stream::throttle", "the interval"),
        {"Stream::throttle", location}));
  }
  /// The items that no other item follows within the quiet time, each when that has passed, and the last
  /// item. The stream runs beside the consumer, one chunk ahead. Throws std::invalid_argument for a time
  /// below 0.
  Stream debounce(Tick quiet, Location location = Location::current()) const {
    return made(detail::openAhead<detail::DebounceStage<A>>(
        open_, {"Stream::debounce", location},
        detail::notNegative(quiet.count, "Stream::debounce", "the quiet time")));
  }
  /// The same items; fails with TimeoutError if the consumer has waited longer for the next items. Throws
  /// std::invalid_argument for a duration below 0.
  Stream timeout(Tick duration, Location location = Location::current()) const {
    static_cast<void>(detail::notNegative(duration.count, "Stream::timeout", "the duration"));
    const auto timed = [duration, location](const Pull<A>& pull) {
      return tapestry::timeout(pull, duration, location);
    };
    return made(open_.map(timed, location));
  }

  /// The same items; a stream that fails is begun again, from its first item, according to the policy, at
  /// most policy.attempts times in all. Its resources are released before. Throws std::invalid_argument for a
  /// policy with a member out of range.
  Stream retry(RetryPolicy policy = {}, Location location = Location::current()) const {
    return made(detail::RetryStage<A>::opening(open_, policy, {"Stream::retry", location}));
  }

  using IsStream = void;

 private:
  template <class Stage>
  Stream<typename Stage::Item> stage(Stage stage, detail::StageAt at) const {
    return made(detail::staged<A>(open_, std::move(stage), at));
  }
  template <class B>
  static Stream<B> made(Do<Do<std::vector<B>>> open) {
    return Stream<B>(std::move(open));
  }
  template <class F>
  auto mappedBy(std::size_t limit, F function, bool inOrder, detail::StageAt at) const {
    auto making = detail::makingDo<A>(function);
    using Stage = detail::ParMapStage<A, decltype(making)>;
    return made(Stage::opening(open_, std::move(making), limit, inOrder, at));
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
