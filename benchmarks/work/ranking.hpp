// Defines RankingWork, what the rows bpr_* train: a factorisation of as many interactions as MovieLens-100K
// has.
#pragma once

#include <tapestry/tensor/table.hpp>

#include <cstddef>
#include <vector>

#include "movielens_bpr/ranking_model.hpp"

namespace tapestry::benchmarks {

/// One epoch of gradient descent without locks; the result is the mean loss of what is drawn.
struct RankingWork {
  static constexpr std::size_t batchSize = 4096;
  static constexpr double learningRate = 0.02;

  examples::Interactions interactions = examples::drawInteractions(1);
  std::vector<examples::RankingBatch> batches;
  Table<float> users, items;  ///< at the start

  RankingWork();
};

}  // namespace tapestry::benchmarks
