// A factorisation that learns to rank, on threads that do not wait for each other: beside a loop over arrays.
#include <string>

#include "compare/side.hpp"
#include "hand/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

const RankingWork& work() {
  static const RankingWork made;
  return made;
}

/// Ours steps once for each mini-batch, so the losses agree less.
constexpr double tolerance = 2e-3;

Row compare(unsigned threads) {
  return compareSides(
      {.name = "bpr_hand_t" + std::to_string(threads),
       .unit = "us/epoch",
       .peer = "a loop over plain arrays",
       .target = 4,
       .threads = threads,
       .repetitions = 15},
      1, [=] { return oursOnRanking(work(), threads); },
      {[] { return hand::rankingByHand(work(), 1); }, [] { return hand::rankingByHand(work(), 2); }},
      tolerance);
}

}  // namespace

std::vector<Row> rows() { return {compare(1), compare(2)}; }

}  // namespace tapestry::benchmarks
