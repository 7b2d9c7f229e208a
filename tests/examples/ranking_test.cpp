#include "movielens_bpr/ranking.hpp"

#include <doctest/doctest.h>

#include "support/input_error.hpp"

namespace tapestry::examples {
namespace {

TEST_CASE("A ranking counts the items before an item of the test, without those of the training") {
  // of user 0, item 0 is known; items 2 and 4 are tested, in second and in last place of four
  const Tensor<float> scores({2, 5}, {9, 4, 3, 2, 1, 1, 2, 3, 4, 5});
  const Interactions training{2, 5, {{0, 0}}};
  const auto one = Ranking::of(scores, training, {2, 5, {{0, 2}, {0, 4}}});
  CHECK(one.auc == doctest::Approx((0.5 + 0) / 2));
  CHECK(one.mrr == doctest::Approx((1.0 / 2 + 1.0 / 4) / 2));
  // user 1 has what it likes in first place; users count the same, however many items they have
  const auto both = Ranking::of(scores, training, {2, 5, {{0, 2}, {0, 4}, {1, 4}}});
  CHECK(both.auc == doctest::Approx((0.25 + 1) / 2));
  CHECK(both.mrr == doctest::Approx((0.375 + 1) / 2));
}

TEST_CASE("Where scores are equal, the item of the test comes last") {
  const auto ranking = Ranking::of(Tensor<float>::zeros({1, 4}), {1, 4, {}}, {1, 4, {{0, 1}}});
  CHECK(ranking.auc == 0);
  CHECK(ranking.mrr == doctest::Approx(0.25));
}

TEST_CASE("Users without an item to rank, or without other items to rank it against, are not counted") {
  const Tensor<float> scores({3, 2}, {0, 1, 1, 0, 1, 0});
  const Interactions training{3, 2, {{0, 0}, {2, 0}}};
  // the first user's item is known, the third one knows all others
  const auto ranking = Ranking::of(scores, training, {3, 2, {{0, 0}, {1, 0}, {2, 1}}});
  CHECK(ranking.auc == 1);
  CHECK(ranking.mrr == 1);
  CHECK_THROWS_WITH_AS(
      (void)Ranking::of(scores, training, {3, 2, {{2, 1}}}),
      "the test: nothing can be ranked, got 1 interactions, expected a user with an item and "
      "others that it is ranked among",
      InputError);
}

}  // namespace
}  // namespace tapestry::examples
