// Defines sequential, which makes one layer from several functions, each applied to the result of the
// previous one.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Whether the parts can be applied to X, each to the result of the previous one.
template <class X, class... Parts>
inline constexpr bool canPass = true;
template <class X, class Part, class... Rest>
inline constexpr bool canPass<X, Part, Rest...> = false;
template <class X, class Part, class... Rest>
  requires std::invocable<const Part&, const X&>
inline constexpr bool canPass<X, Part, Rest...> =
    canPass<std::remove_cvref_t<std::invoke_result_t<const Part&, const X&>>, Rest...>;

/// A layer, another callable object, or a pointer to a function.
template <class P>
concept SequentialPart = std::is_class_v<P> || std::is_function_v<std::remove_pointer_t<P>>;

}  // namespace detail

/// The result of `sequential`: a function of differentiables, with the weights of its parts.
template <class... Parts>
struct Sequential {
  std::tuple<Parts...> parts;

  template <Differentiable X>
    requires detail::canPass<X, Parts...>
  auto operator()(const X& x) const {
    return apply<0>(x);
  }
  void operator()(...) const = delete;  // expected a Differentiable that all parts take, one after the other

  /// Returns the weights of the parts, named by the numbers of the parts: "0.weight", "2.weight".
  Weights weights() const {
    return std::apply(
        [](const auto&... part) {
          std::size_t number = 0;
          return Weights{Weights::Entry(std::to_string(number++), weightsOf(part))...};
        },
        parts);
  }

 private:
  template <std::size_t i>
  auto apply(const auto& x) const {
    if constexpr (i == sizeof...(Parts))
      return x;
    else
      return apply<i + 1>(std::get<i>(parts)(x));
  }

  static Weights weightsOf(const auto& part) {
    if constexpr (HasWeights<std::remove_cvref_t<decltype(part)>>)
      return part.weights();
    else
      return {};
  }
};

/// sequential(Dense<>(784, 100, generator), operations::relu, Dense<>(100, 10, generator)): takes layers and
/// other functions from differentiables to differentiables.
template <detail::SequentialPart... Parts>
Sequential<Parts...> sequential(Parts... parts) {
  return {{std::move(parts)...}};
}
/// Without parts, the result returns its operand.
inline Sequential<> sequential() { return {}; }
template <class = void>
void sequential(...) = delete;  // expected functions: for relu write operations::relu, for others a lambda

}  // namespace tapestry
#pragma GCC visibility pop
