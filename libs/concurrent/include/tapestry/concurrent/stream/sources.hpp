// Defines StreamSources, the functions that make a Stream.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>  // the concepts of ranges, without the views
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/concurrent/channel.hpp"
#include "tapestry/concurrent/stream/detail/sources.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

template <class A>
  requires std::is_nothrow_move_constructible_v<A>
class Stream;

/// The static functions of Stream<A> (tapestry/concurrent/stream/stream.hpp). `ticks`, `lines`, `fileBlocks`
/// and `socketBlocks` also make a stream.
template <class A>
class StreamSources {
  using Location = detail::Location;

 public:
  /// No items.
  static Stream<A> empty() {
    return Stream<A>(Do<Pull<A>>::now(Pull<A>::delay([] { return Chunk<A>(); })));
  }

  /// Copies of the items.
  static Stream<A> of(std::vector<A> items)
    requires std::copy_constructible<A>
  {
    return from(std::move(items));
  }

  /// Copies of the elements of the range, which is copied for each consumer; a view refers to its underlying
  /// range.
  template <std::ranges::forward_range R>
    requires std::copy_constructible<R> && std::constructible_from<A, std::ranges::range_reference_t<R>>
  static Stream<A> from(R range, Location location = Location::current()) {
    return fromMade([range = std::move(range)] { return range; }, location);
  }
  /// The elements of the range that make() returns for each consumer, which need not be copyable.
  template <class F>
    requires std::ranges::input_range<std::invoke_result_t<const F&>>
  static Stream<A> fromMade(F make, Location location = Location::current()) {
    return Stream<A>(detail::ofRange<A>(std::move(make), {"Stream::fromMade", location}));
  }

  /// The value of the program; its resources are held until the consumer ends.
  static Stream<A> from(const Do<A>& program, Location location = Location::current()) {
    return Stream<A>(program.map(
        [location](A value) {
          return detail::pullOnce<A>(std::move(value), {"Stream::from", location});
        },
        location));
  }
  /// The values of the program, which is run, in a separate scope, for each item.
  static Stream<A> repeat(const Do<A>& program, Location location = Location::current()) {
    const Pull<A> pull =
        program.run().map([](A value) { return detail::chunkOf<A>(std::move(value)); }, location);
    return Stream<A>(Do<Pull<A>>::now(pull));
  }

  /// The items of the channel, until it is closed. Up to `most` items are received at a time, if they are
  /// there: items that the consumer does not use are lost, as is an item that is between two stages when the
  /// run is stopped. Consumers share the items. Throws std::invalid_argument for 0.
  static Stream<A> from(const Channel<A>& channel, std::size_t most = 1,
                        Location location = Location::current()) {
    const Pull<A> pull = channel.receiveSome(most, location);
    return Stream<A>(Do<Pull<A>>::now(pull));
  }

  /// step(const S& state) returns an item and the next state, or nothing at the end. It may be called for a
  /// few items that no consumer uses.
  template <std::copyable S, class F>
    requires std::is_invocable_r_v<std::optional<std::pair<A, S>>, const F&, const S&>
  static Stream<A> unfold(S state, F step, Location location = Location::current()) {
    using Source = detail::UnfoldSource<A, S, F>;
    return Stream<A>(Do<Pull<A>>::delay(
        [state = std::move(state), step = std::move(step), location] {
          return detail::pullFrom<A>(std::make_shared<Source>(state, step), {"Stream::unfold", location});
        },
        location));
  }
  static void unfold(  // expected a state, and a const f(const state&), std::optional of (item, state)
      ...) = delete;

  /// The same with programs, Do of such an optional, which run one after the other, each when its item is
  /// requested. The resources of a program are released when it has ended.
  template <std::copyable S, class F>
    requires std::is_invocable_r_v<Do<std::optional<std::pair<A, S>>>, const F&, const S&>
  static Stream<A> unfoldDo(S state, F step, Location location = Location::current()) {
    return Stream<A>(detail::ofDoSteps<A>(std::move(state), std::move(step), {"Stream::unfoldDo", location}));
  }
  static void unfoldDo(  // expected a state, and a const f(const state&), Do of a std::optional of a pair
      ...) = delete;

  /// Fails with the error, an exception or a text, as Do::raiseError does, when an item is requested.
  template <class E>
  static Stream<A> raiseError(E error, Location location = Location::current()) {
    return Stream<A>(Do<Pull<A>>::now(Pull<A>::raiseError(std::move(error), location)));
  }
};

}  // namespace tapestry
#pragma GCC visibility pop
