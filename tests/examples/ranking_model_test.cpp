#include "movielens_bpr/ranking_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <utility>

namespace tapestry::examples {
namespace {

TEST_CASE("A batch to rank by pairs interactions with any items, and follows from the seed") {
  const Interactions data{3, 4, {{0, 1}, {1, 2}, {2, 0}}};
  const auto batch = RankingBatch::draw(data, 200, Random(7));
  const std::set<std::pair<std::int64_t, std::int64_t>> liked{{0, 1}, {1, 2}, {2, 0}};
  REQUIRE(batch.users.size() == 200);
  for (std::size_t i = 0; i < 200; ++i) CHECK(liked.contains({batch.users[i], batch.liked[i]}));
  CHECK(std::set(batch.others.begin(), batch.others.end()) == std::set<std::int64_t>{0, 1, 2, 3});
  CHECK(RankingBatch::draw(data, 200, Random(7)).others == batch.others);
  CHECK(RankingBatch::draw(data, 200, Random(8)).others != batch.others);
}

TEST_CASE("The loss of a ranking is that of the difference of its scores, and a step lessens it") {
  const Interactions data{2, 3, {{1, 2}}};
  const RankingModel model(data, sgd(0.5), Generator(1));
  const RankingBatch batch{{1}, {2}, {0}};
  const auto scores = predict(model.scores()).blockingAwait();
  const double loss = predict(model.loss(batch)).blockingAwait();
  CHECK(loss == doctest::Approx(std::log1p(std::exp(scores(1, 0) - scores(1, 2)))));
  CHECK(train(model.loss(batch)).blockingAwait() == doctest::Approx(loss));
  CHECK(predict(model.loss(batch)).blockingAwait() < loss);
}

}  // namespace
}  // namespace tapestry::examples
