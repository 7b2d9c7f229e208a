// Defines parTraverseRanks, which runs a program for each element of a range, on all ranks.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <span>  // the concepts of ranges, without the views
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/distributed/any_communicator.hpp"
#include "tapestry/distributed/wire.hpp"
#include "tapestry/raii/par_for_each.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Runs body(index) for `count` indices on all ranks, and yields what the bodies have yielded, by index, on
/// all ranks. Throws std::invalid_argument for a limit of 0.
Do<std::vector<Bytes>> traverseRanks(const AnyCommunicator& communicator, std::size_t count,
                                     std::size_t limit, std::function<Do<Bytes>(std::size_t)> body);

template <class T>
inline constexpr bool isDoForRanks = false;
template <class A>
inline constexpr bool isDoForRanks<Do<A>> = std::is_void_v<A> || HasWire<A>;

template <class R, class F>
concept RanksTraversableBy =
    std::ranges::input_range<R> && std::copy_constructible<std::ranges::range_value_t<R>> &&
    std::invocable<const F&, const std::ranges::range_value_t<R>&> &&
    isDoForRanks<std::invoke_result_t<const F&, const std::ranges::range_value_t<R>&>>;

/// The bytes of the value that the Do of an element yields.
template <class A>
Do<Bytes> inBytes(const Do<A>& program) {
  if constexpr (std::is_void_v<A>)
    return program.map([] { return Bytes(); });
  else
    return program.map([](const A& value) { return toBytes(value); });
}

}  // namespace detail

/// As parTraverse(range, limit, f) on all ranks: every rank runs this with an equal range and function, and
/// each element's Do f(element), whose value has a Wire, runs on one rank, in a separate scope. Rank 0 hands
/// out the elements, one at a time, at most `limit` to each rank at once, so that fast ranks run more. Yields
/// all values, in the order of the range, on all ranks; nothing for Do<void>.
///
/// If a Do fails, or a rank is asked to stop, no further element is begun, the others are asked to stop on
/// all ranks, and all ranks fail with a RankError that names the rank, the element, and the reason. A rank
/// that is asked to stop when all elements have ended is cancelled alone. Ranks tell each other that they are
/// at work; a rank that is not heard from within the communicator's time limit is at fault, too, and breaks
/// the communicator; so does a rank of which elements block all threads for longer than that.
///
/// It takes part in the order of the communicator's collectives, and sends messages with reserved tags: one
/// at a time on one communicator. On a communicator of one rank it is parTraverse, and so are its errors.
/// Throws std::invalid_argument for a limit of 0.
template <Communicator C, std::ranges::input_range R, class F>
  requires detail::RanksTraversableBy<R, F>
[[nodiscard("a program does nothing until it is run")]] auto parTraverseRanks(const C& communicator, R range,
                                                                              std::size_t limit, F function) {
  using Element = std::ranges::range_value_t<R>;
  using A = typename std::invoke_result_t<const F&, const Element&>::ValueType;
  using Value = std::conditional_t<std::is_void_v<A>, void, std::vector<Stored<A>>>;
  std::vector<Element> copies;
  for (auto&& each : range) copies.emplace_back(std::forward<decltype(each)>(each));
  auto elements = std::make_shared<const std::vector<Element>>(std::move(copies));
  auto body = [elements, function = std::move(function)](std::size_t index) {
    return detail::inBytes(function((*elements)[index]));
  };
  return detail::traverseRanks(communicator, elements->size(), limit, std::move(body))
      .map([]([[maybe_unused]] const std::vector<Bytes>& all) -> Value {
        if constexpr (!std::is_void_v<A>) {
          Value values;
          values.reserve(all.size());
          for (const auto& bytes : all) values.push_back(fromBytes<A>(bytes));
          return values;
        }
      });
}

void parTraverseRanks(...) = delete;  // expected a communicator, a range, a limit, and f(element), a Do

}  // namespace tapestry
#pragma GCC visibility pop
