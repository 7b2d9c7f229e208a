// Defines Embedding, a layer that has a vector for each index.
#pragma once

#include <cstddef>
#include <utility>

#include "tapestry/deeplearning/initializers.hpp"
#include "tapestry/deeplearning/operations/layout/embedding.hpp"
#include "tapestry/deeplearning/weights.hpp"

namespace tapestry {

/// embedding(table, indices).
template <class T = float>
struct Embedding {
  Weight<Table<T>> table;  ///< [rows, width]

  /// Starts with normally distributed values of mean 0 and variance 1.
  Embedding(std::size_t rows, std::size_t width, Generator& generator)
      : Embedding(normal<T>({rows, width}, 0, 1, generator)) {}
  explicit Embedding(Tensor<T> rows) : table(Table<T>(std::move(rows))) {}

  Layer<Tensor<T>> operator()(const Indices& indices) const { return embedding(table, indices); }
  void operator()(...) const = delete;  // expected Indices

  Weights weights() const { return {{"table", table}}; }
};

}  // namespace tapestry
