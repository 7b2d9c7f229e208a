// Defines Ranking, how well scores put the items that a user will like before the others.
#pragma once

#include <tapestry/deeplearning.hpp>

#include "movielens_bpr/interactions.hpp"

namespace tapestry::examples {

/// Means over the users of the test. The items that a user has in `training` are left out; where scores are
/// equal, the item of the test comes last.
struct Ranking {
  double auc;  ///< how often an item of the test comes before an item that the user has nowhere
  double mrr;  ///< 1 over the place of an item of the test, among those that the user has not in training

  /// scores [users, items]
  [[nodiscard]] static Ranking of(const Tensor<float>& scores, const Interactions& training,
                                  const Interactions& test);
};

}  // namespace tapestry::examples
