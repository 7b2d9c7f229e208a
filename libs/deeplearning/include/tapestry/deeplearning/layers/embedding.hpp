// Defines Embedding, a layer that has a vector for each index.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/detail/elements.hpp"
#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/weights.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// embedding(table, indices). T is the type of the elements, or of tensors: Embedding<DeviceTensor<float>>,
/// whose table is a tensor, so that a step costs O(all rows).
template <class T = float>
struct Embedding {
  using Values = detail::TensorFor<T>;
  using Element = detail::ElementOf<Values>;
  using Rows = std::conditional_t<detail::isHostTensor<Values>, Table<Element>, Values>;

  Weight<Rows> table;  ///< [rows, width]

  /// Starts with normally distributed values of mean 0 and variance 1, which place(x), a function from
  /// tensors of the host to Values, brings to where the layer computes.
  template <detail::PlaceFor<Values> Place = detail::OnHost>
  Embedding(std::size_t rows, std::size_t width, Generator& generator, const Place& place = {})
      : Embedding(Values(place(normal<Element>({rows, width}, 0, 1, generator)))) {}
  explicit Embedding(Values rows) : table(Rows(std::move(rows))) {}

  Layer<Values> operator()(const Indices& indices) const { return embedding(table, indices); }
  void operator()(...) const = delete;  // expected Indices

  Weights weights() const { return {{"table", table}}; }
};

}  // namespace tapestry
#pragma GCC visibility pop
