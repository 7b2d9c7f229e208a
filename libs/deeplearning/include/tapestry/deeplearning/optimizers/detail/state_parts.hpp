// Defines StatePart and forEachPart, with which files and tables access the state of an optimizer, and
// StepCount and Moment, the states of rules that count their steps, without and with a value.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/detail/operation_name.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// A value of the weight's size, or none yet; a count; a number.
template <class V>
using StatePart = std::variant<std::optional<V>, std::uint64_t, double>;

template <class V>
using StateParts = std::vector<std::pair<std::string, StatePart<V>>>;

struct AnyPart {
  void operator()(std::string_view, const auto&) const {}
};

/// Whether the parts of a state can be listed: it has none, or its own `parts`, or is a tuple of such states.
template <class State>
inline constexpr bool listsParts =
    std::is_empty_v<State> || requires(const State& state) { State::parts(state, AnyPart()); };
template <class... States>
inline constexpr bool listsParts<std::tuple<States...>> = (... && listsParts<States>);

/// Calls f(name, part) for each part of a state; parts of a chain's links have names such as "0.velocity".
template <class State, class F>
void forEachPart(State& state, const F& f, const std::string& prefix = {}) {
  using Plain = std::remove_const_t<State>;
  if constexpr (isTuple<Plain>)
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (..., forEachPart(std::get<i>(state), f, prefix + std::to_string(i) + "."));
    }(std::make_index_sequence<std::tuple_size_v<Plain>>());
  else if constexpr (requires { Plain::parts(state, AnyPart()); })
    Plain::parts(state, [&](std::string_view name, auto& part) { f(prefix + std::string(name), part); });
}

/// Returns a copy of all parts of the state.
template <class V, class State>
StateParts<V> partsOf(const State& state) {
  StateParts<V> parts;
  forEachPart(state, [&](std::string name, const auto& part) {
    parts.emplace_back(std::move(name), 0.0).second = part;
  });
  return parts;
}

/// Returns the parts with convert(value) for each value of the weight's size.
template <class V, class T>
StateParts<V> convertParts(const StateParts<T>& parts, const auto& convert) {
  StateParts<V> converted;
  for (const auto& [name, part] : parts) {
    converted.emplace_back(name, 0.0);
    std::visit(
        [&, &to = converted.back().second]<class Part>(const Part& from) {
          if constexpr (std::same_as<Part, std::optional<T>>)
            to = from ? std::optional<V>(convert(*from)) : std::nullopt;
          else
            to = from;
        },
        part);
  }
  return converted;
}

/// Sets the parts of the state from parts of the same names and kinds, in order; returns false if they
/// differ.
template <class V, class State>
bool setParts(State& state, const StateParts<V>& parts) {
  std::size_t next = 0;
  bool fit = true;
  forEachPart(state, [&](const std::string& name, auto& part) {
    using Part = std::remove_reference_t<decltype(part)>;
    const bool here =
        next < parts.size() && parts[next].first == name && std::holds_alternative<Part>(parts[next].second);
    if (here) part = std::get<Part>(parts[next].second);
    fit = fit && here;
    ++next;
  });
  return fit && next == parts.size();
}

struct StepCount {
  std::uint64_t steps = 0;

  static void parts(auto& state, const auto& f) { f("steps", state.steps); }
};

/// One value of the weight's size, which files list under the name.
template <class V, OperationName name>
struct Moment {
  std::optional<V> value;
  std::uint64_t steps = 0;

  static void parts(auto& state, const auto& f) {
    f(name.view(), state.value);
    f("steps", state.steps);
  }

  /// Hands over the value, which is 0 before the first step.
  V take(const V& weight) {
    return value ? *std::exchange(value, std::nullopt) : filledLike(weight, ElementOf<V>(0));
  }
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
