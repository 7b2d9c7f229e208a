// Defines SentValue, the type of the value that a sender completes with.
#pragma once

#include <type_traits>

#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/raii/execution/standard.hpp"

#pragma GCC visibility push(default)
namespace tapestry::execution::detail {

template <class... Ts>
struct List {};

/// The values of the signature if it is a set_value.
template <class Signature>
struct ValuesOf {
  using Type = List<>;
};
template <class... Values>
struct ValuesOf<standard::set_value_t(Values...)> {
  using Type = List<tapestry::detail::OneValue<std::decay_t<Values>...>>;
};

template <class... Ts, class... Us>
List<Ts..., Us...> operator+(List<Ts...>, List<Us...>);

template <class Signatures>
struct AllValues;
template <class... Signatures>
struct AllValues<standard::completion_signatures<Signatures...>> {
  using Type = decltype((List<>() + ... + typename ValuesOf<Signatures>::Type()));
};

/// Not defined for a sender with several set_value signatures.
template <class Values>
struct SingleValue;
template <class Value>
struct SingleValue<List<Value>> {
  using Type = typename Value::Type;
};
/// For a sender that only fails or stops.
template <>
struct SingleValue<List<>> {
  using Type = void;
};

/// Void for no value, the type of a single value, else a std::tuple of the types.
template <class Sender, class Env>
using SentValue =
    typename SingleValue<typename AllValues<standard::completion_signatures_of_t<Sender, Env>>::Type>::Type;

}  // namespace tapestry::execution::detail
#pragma GCC visibility pop
