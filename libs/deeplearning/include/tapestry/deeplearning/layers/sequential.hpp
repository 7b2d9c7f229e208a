// Defines sequential, which makes one layer of several functions, each applied to what the last one gave.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "tapestry/deeplearning/differentiable.hpp"
#include "tapestry/deeplearning/weights.hpp"

namespace tapestry {

/// What `sequential` makes: a function of differentiables, with the weights of its parts.
template <class... Parts>
struct Sequential {
  std::tuple<Parts...> parts;

  template <Differentiable X>
  auto operator()(const X& x) const {
    return apply<0>(x);
  }

  /// The weights of the parts that have some, under the numbers of these parts: "0.weight", "2.weight".
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

/// sequential(Dense<>(784, 100, generator), operations::relu, Dense<>(100, 10, generator)): of layers and of
/// all else that makes a differentiable of a differentiable.
template <class... Parts>
Sequential<Parts...> sequential(Parts... parts) {  // for relu write operations::relu, for others a lambda
  return {{std::move(parts)...}};
}

}  // namespace tapestry
