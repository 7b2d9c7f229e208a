// Defines functions of the outcomes of parallel branches, which are a tuple or a range.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// Calls f(element) for each element of a tuple or a range, in order.
template <class... Ts, class F>
void forEachIn(std::tuple<Ts...>& elements, const F& f) {
  std::apply([&f](auto&... element) { (..., f(element)); }, elements);
}
template <class Range, class F>
  requires requires(Range& range) { range.begin(); }
void forEachIn(Range& elements, const F& f) {
  for (auto& element : elements) f(element);
}

/// As forEachIn, with the last element first.
template <class... Ts, class F>
void forEachInReverse(std::tuple<Ts...>& elements, const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (..., f(std::get<sizeof...(Ts) - 1 - i>(elements)));
  }(std::index_sequence_for<Ts...>());
}
template <class Range, class F>
  requires requires(Range& range) { range.rbegin(); }
void forEachInReverse(Range& elements, const F& f) {
  for (auto element = elements.rbegin(); element != elements.rend(); ++element) f(*element);
}

/// Calls f(index, element at the index) for a tuple or a vector. For a tuple the index is a constant.
template <class Tuple, class F>
  requires requires { std::tuple_size<std::remove_const_t<Tuple>>::value; }
void atIndex(Tuple& elements, std::size_t index, const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (..., (i == index ? f(std::integral_constant<std::size_t, i>(), std::get<i>(elements)) : void()));
  }(std::make_index_sequence<std::tuple_size_v<std::remove_const_t<Tuple>>>());
}
template <class Vector, class F>
void atIndex(Vector& elements, std::size_t index, const F& f) {
  f(index, elements[index]);
}

/// The releases that take(outcome), a std::optional, has returned, in the order of the outcomes. The last
/// outcome is asked first, since a value that goes back to its source goes before those that went back
/// earlier.
template <class Outcomes, class F>
std::vector<UnitContinuation<Errors>> releasesOf(Outcomes& outcomes, const F& take) {
  std::vector<UnitContinuation<Errors>> releases;
  detail::forEachInReverse(outcomes, [&](auto& outcome) {
    if (auto release = take(outcome)) releases.push_back(*std::move(release));
  });
  for (std::size_t i = 0, end = releases.size(); i + 1 < end; ++i) std::swap(releases[i], releases[--end]);
  return releases;
}

/// The finalizers of the values that must not be dropped. `kept` is the address of an outcome that is not
/// asked, or null.
template <class Outcomes>
std::vector<UnitContinuation<Errors>> finalizersOf(Outcomes& outcomes, const void* kept = nullptr) {
  return detail::releasesOf(outcomes, [kept]<class A>(Outcome<A>& outcome) {
    std::optional<UnitContinuation<Errors>> finalizer;
    if constexpr (Abandonable<Stored<A>>)
      if (outcome.hasValue() && &outcome != kept) finalizer = outcome.get().abandon();
    return finalizer;
  });
}

/// Runs the finalizers, the last first, and yields their errors. Precondition: there is one.
inline UnitContinuation<Errors> lastFirst(std::vector<UnitContinuation<Errors>> finalizers) {
  UnitContinuation<Errors> all = std::move(finalizers.back());
  for (finalizers.pop_back(); !finalizers.empty(); finalizers.pop_back())
    all = std::move(all).flatMap([following = std::move(finalizers.back())](const Errors& before) {
      return following.map(after(before));
    });
  return all;
}

/// For a run that is stopping when all its branches have ended: adds the errors of the branches to those of
/// the stop, in order, and runs the finalizers of values that must not be dropped.
template <class Outcomes>
void finalizeAll(Run& run, Outcomes& outcomes) {
  Errors errors = run.takeStop();
  detail::forEachIn(outcomes, [&errors]<class A>(Outcome<A>& outcome) {
    if (outcome.hasError()) errors.append(outcome.error());
    if (!outcome.hasValue()) return;
    if constexpr (Abandonable<Stored<A>>)
      errors.append(outcome.get().errors());
    else if constexpr (std::same_as<A, Errors>)
      errors.append(outcome.get());
  });
  run.stop(std::move(errors));
  if (auto finalizers = finalizersOf(outcomes); !finalizers.empty())
    finalizeStop(run, lastFirst(std::move(finalizers)).node());
}

/// Puts Wrap()(value) when the finalizers have run, or, if they have errors, drops the value and stops.
template <class A, class Wrap>
void putAfter(Run& run, std::vector<UnitContinuation<Errors>> finalizers, A value, Wrap wrap) {
  if (finalizers.empty()) return run.put(wrap(std::move(value)));
  constexpr auto put = [](HeldValue<A>& held, Run& r) {
    Errors errors = r.take<Errors>();
    if (errors.empty()) return r.put(Wrap()(std::move(held.value)));
    r.stop(std::move(errors));
    if constexpr (Abandonable<A>) dropHeld<A>(held, r);
  };
  run.push<put, dropHeld<A>>(makeRef<HeldValue<A>>(std::move(value)));
  enterMask(run);
  run.next(lastFirst(std::move(finalizers)).node());
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
