// Defines RankingModel, a matrix factorisation that learns to rank, and RankingBatch, its mini-batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tapestry/deeplearning.hpp>
#include <tuple>
#include <vector>

#include "movielens_bpr/interactions.hpp"
#include "support/random.hpp"

namespace tapestry::examples {

/// Users, an item that each of them liked, and another item, drawn evenly from all items.
struct RankingBatch {
  std::vector<std::int64_t> users, liked, others;

  static RankingBatch draw(const Interactions& from, std::size_t size, Random random) {
    RankingBatch batch{std::vector<std::int64_t>(size), std::vector<std::int64_t>(size),
                       std::vector<std::int64_t>(size)};
    for (std::size_t i = 0; i < size; ++i)
      std::tie(batch.users[i], batch.others[i]) = random.belowEach(from.all.size(), from.items);
    for (std::size_t i = 0; i < size;
         ++i) {  // in a loop of its own, in which reads do not wait for each other
      const auto [user, item] = from.all[static_cast<std::size_t>(batch.users[i])];
      batch.users[i] = user;
      batch.liked[i] = item;
    }
    return batch;
  }
};

// [model]
/// A user likes an item as much as their vectors agree. Threads step the tables without waiting for each
/// other, and each step changes only the rows of its mini-batch.
struct RankingModel {
  static constexpr std::size_t width = 32;

  TableWeight users, items;

  RankingModel(const Interactions& data, const Optimizer<Table<float>>& rule, Generator generator)
      : users(Table<float>(normal({data.users, width}, 0, 0.1, generator)), rule, hogwild),
        items(Table<float>(normal({data.items, width}, 0, 0.1, generator)), rule, hogwild) {}

  /// -log of the probability that the users prefer what they liked: Rendle et al., "BPR" (2009).
  DoubleLayer loss(const RankingBatch& batch) const {
    const auto difference = embedding(items, batch.liked) - embedding(items, batch.others);
    return sum(softplus(-sum(embedding(users, batch.users) * difference, {1})));
  }

  /// The scores of all users for all items.
  TensorLayer scores() const {
    return matmul(users.data().dense(), transpose(TensorLayer(items.data().dense())));
  }
};
// [/model]

}  // namespace tapestry::examples
