// Defines Stream, a description of a sequence of items that are made as they are asked for.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/stream/consumers.hpp"
#include "tapestry/concurrent/stream/detail/arguments.hpp"
#include "tapestry/concurrent/stream/detail/buffer.hpp"
#include "tapestry/concurrent/stream/detail/flat_map.hpp"
#include "tapestry/concurrent/stream/detail/par_map.hpp"
#include "tapestry/concurrent/stream/detail/parts.hpp"
#include "tapestry/concurrent/stream/detail/retried.hpp"
#include "tapestry/concurrent/stream/detail/staged.hpp"
#include "tapestry/concurrent/stream/detail/stages.hpp"
#include "tapestry/concurrent/stream/detail/timed.hpp"
#include "tapestry/concurrent/stream/detail/zip.hpp"
#include "tapestry/concurrent/stream/sources.hpp"
#include "tapestry/raii/timeout.hpp"

namespace tapestry {

/// A lazy, immutable description of a sequence of A, finite or not, which may fail. Each consumer (`fold`,
/// `forEach`, `toVector`, `into`) begins it afresh, and asks it for items as it uses them; nothing runs
/// beside the consumer but by the stages that say so. Copied in O(1), usable from several threads at once.
/// StreamSources has the functions that make one, and StreamConsumers those that use one.
///
/// What a source or a stage has acquired is released, in the reverse order, when the consumer ends, whether
/// by the end of the stream, enough items, an error or a request to stop. An error comes after the items
/// before it.
///
/// Items move in chunks, so that a stage costs some nanoseconds an item: a range gives up to 1,024 items at a
/// time, and a stage such as map calls its function for all of them, also where `take` needs fewer. A stage
/// that waits, such as mapDo, gives each item on as soon as it has it. Functions that are given to stages are
/// const, as all functions here.
template <class A>
  requires std::is_nothrow_move_constructible_v<A>
class [[nodiscard("a stream does nothing until it is consumed")]] Stream : public StreamSources<A>,
                                                                           public StreamConsumers<A> {
  using Location = detail::Location;
  using Tick = detail::Ticks;
  using StreamConsumers<A>::open_;

 public:
  using ValueType = A;

  /// Of a program that opens it for one consumer, in the consumer's scope.
  explicit Stream(Do<Pull<A>> open) noexcept : StreamConsumers<A>(std::move(open)) {}

  // Stages. None of them runs anything before a consumer asks.

  /// f(item) of each item.
  template <class F>
    requires detail::accepts<F, A> && (!std::is_void_v<detail::ResultOf<F, A>>)
  auto map(F function, Location location = Location::current()) const {
    using B = detail::ResultOf<F, A>;
    return stage(detail::MapStage<A, B, F>{std::move(function)}, {"Stream::map", location});
  }
  void map(...) const = delete;  // expected a function f(item), const, not mutable, that returns a value

  /// What the program f(item) of each item yields, one after the other. What a program has acquired is
  /// released when it has ended.
  template <class F>
    requires detail::isMadeDo<F, A>
  auto mapDo(F function, Location location = Location::current()) const {
    auto making = detail::makingDo<A>(std::move(function));
    return made(detail::mappedDo<A>(open_, std::move(making), {"Stream::mapDo", location}));
  }
  void mapDo(...) const = delete;  // expected a function f(item), const, that returns a Do or a program

  /// As mapDo, with up to `limit` programs at a time, which run beside the consumer, ahead of it; in the
  /// order of the items. Where one fails, the items before it come first; the others are cancelled then.
  /// Throws std::invalid_argument for 0.
  template <class F>
    requires detail::isMadeDo<F, A>
  auto parMap(std::size_t limit, F function, Location location = Location::current()) const {
    return mappedBy(limit, std::move(function), true, {"Stream::parMap", location});
  }
  void parMap(...) const = delete;  // expected a limit, and a function f(item), const, that returns a Do

  /// As parMap, in the order in which the programs end.
  template <class F>
    requires detail::isMadeDo<F, A>
  auto parMapUnordered(std::size_t limit, F function, Location location = Location::current()) const {
    return mappedBy(limit, std::move(function), false, {"Stream::parMapUnordered", location});
  }
  void parMapUnordered(  // expected a limit, and a function f(item), const, that returns a Do
      ...) const = delete;

  /// The items that the predicate is true of.
  template <class F>
    requires std::predicate<const F&, const A&>
  Stream filter(F predicate, Location location = Location::current()) const {
    return stage(detail::FilterStage<A, F>{std::move(predicate)}, {"Stream::filter", location});
  }
  void filter(...) const = delete;  // expected a predicate f(const item&), const, not mutable

  /// The items of the stream f(item) of each item, one stream after the other. What a stream has acquired is
  /// released when it has ended, before the next begins.
  template <class F>
    requires detail::accepts<F, A> && requires { typename detail::ResultOf<F, A>::IsStream; }
  auto flatMap(F function, Location location = Location::current()) const {
    return made(
        detail::FlatMapStage<A, F>::opening(open_, std::move(function), {"Stream::flatMap", location}));
  }
  void flatMap(...) const = delete;  // expected a function f(item), const, that returns a Stream

  /// The items of this, then those of the other.
  Stream concat(Stream other, Location location = Location::current()) const {
    return Stream<Stream>::of({*this, std::move(other)}).flatMap([](Stream part) { return part; }, location);
  }

  /// f(state, item) of each item, which is the next state, from the initial state on; that one is not an
  /// item.
  template <std::copy_constructible S, class F>
    requires std::is_invocable_r_v<S, const F&, S, A>
  auto scan(S initial, F function, Location location = Location::current()) const {
    return stage(detail::ScanStage<A, S, F>{std::move(initial), std::move(function)},
                 {"Stream::scan", location});
  }
  void scan(  // expected a state that can be copied, and a const f(state, item), the next state
      ...) const = delete;

  /// The first items. No more are asked for.
  Stream take(std::uint64_t count, Location location = Location::current()) const {
    if (count == 0) return Stream::empty();
    return stage(detail::TakeStage<A>{count}, {"Stream::take", location});
  }
  /// The items before the first that the predicate is false of.
  template <class F>
    requires std::predicate<const F&, const A&>
  Stream takeWhile(F predicate, Location location = Location::current()) const {
    return stage(detail::TakeWhileStage<A, F>{std::move(predicate)}, {"Stream::takeWhile", location});
  }
  void takeWhile(...) const = delete;  // expected a predicate f(const item&), const, not mutable
  /// All but the first items.
  Stream drop(std::uint64_t count, Location location = Location::current()) const {
    return stage(detail::DropStage<A>{count}, {"Stream::drop", location});
  }
  /// The items from the first on that the predicate is false of.
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

  /// The items of both as they come; both run beside the consumer. Ends when both have, and fails when one
  /// does.
  Stream merge(const Stream& other, Location location = Location::current()) const {
    return made(detail::merged(open_, other.open(), {"Stream::merge", location}));
  }
  /// Pairs of an item of each, until one of the two ends.
  template <class B>
  auto zip(const Stream<B>& other, Location location = Location::current()) const {
    using Pair = std::pair<A, B>;
    return made(detail::ofBoth<Pair>(open_, other.open(), detail::ZipItems(), {"Stream::zip", location}));
  }
  /// An item of this, one of the other, and so on, until one of the two ends.
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
  /// The items that no other follows within the quiet time, when that has passed, and the last one. The
  /// stream runs beside the consumer, one chunk ahead. Throws std::invalid_argument for a time below 0.
  Stream debounce(Tick quiet, Location location = Location::current()) const {
    return made(detail::openAhead<detail::DebounceStage<A>>(
        open_, {"Stream::debounce", location},
        detail::notNegative(quiet.count, "Stream::debounce", "the quiet time")));
  }
  /// The same items; fails with TimeoutError where the consumer has waited longer for the next ones.
  Stream timeout(Tick duration, Location location = Location::current()) const {
    const auto timed = [duration](const Pull<A>& pull) { return tapestry::timeout(pull, duration); };
    return made(open_.map(timed, location));
  }

  /// The same items; where it fails it is begun again, from its first item, as the policy says, at most
  /// policy.attempts times in all. What it had acquired is released before. Throws std::invalid_argument for
  /// a policy that makes no sense.
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
    auto making = detail::makingDo<A>(std::move(function));
    using Stage = detail::ParMapStage<A, decltype(making)>;
    const auto order = inOrder ? Stage::Order::ofItems : Stage::Order::ofResults;
    const std::size_t most = detail::positive(limit, at.operation, "the limit");
    return made(Stage::opening(open_, std::move(making), most, order, at));
  }
};

}  // namespace tapestry
