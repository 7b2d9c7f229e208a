// Defines SentValue, the type of the value that a sender completes with.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include "tapestry/raii/execution/standard.hpp"

namespace tapestry::execution::detail {

template <class... Ts>
struct List {};

/// What several values are as one.
template <class... Values>
struct OneValue {
  using Type = std::tuple<std::decay_t<Values>...>;
};
template <class Value>
struct OneValue<Value> {
  using Type = std::decay_t<Value>;
};
template <>
struct OneValue<> {
  using Type = void;
};

/// The values of each set_value among the signatures.
template <class Signature>
struct ValuesOf {
  using Type = List<>;
};
template <class... Values>
struct ValuesOf<standard::set_value_t(Values...)> {
  using Type = List<OneValue<Values...>>;
};

template <class... Ts, class... Us>
List<Ts..., Us...> operator+(List<Ts...>, List<Us...>);

template <class Signatures>
struct AllValues;
template <class... Signatures>
struct AllValues<standard::completion_signatures<Signatures...>> {
  using Type = decltype((List<>() + ... + typename ValuesOf<Signatures>::Type()));
};

/// Not defined for a sender of several kinds of values.
template <class Values>
struct SingleValue;
template <class Value>
struct SingleValue<List<Value>> {
  using Type = typename Value::Type;
};
/// Of a sender that only fails or stops.
template <>
struct SingleValue<List<>> {
  using Type = void;
};

/// Void for no value, the value where it is one, else a std::tuple of them.
template <class Sender, class Env>
using SentValue =
    typename SingleValue<typename AllValues<standard::completion_signatures_of_t<Sender, Env>>::Type>::Type;

}  // namespace tapestry::execution::detail
