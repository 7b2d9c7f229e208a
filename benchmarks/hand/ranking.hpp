// Defines rankingByHand, the factorisation of the rows bpr_* as a loop over plain arrays.
#pragma once

#include "compare/side.hpp"
#include "work/ranking.hpp"

namespace tapestry::benchmarks::hand {

/// Each triple takes its step at once, without a mini-batch; threads take turns in mini-batches and do not
/// wait for each other. The work must outlive it.
Side rankingByHand(const RankingWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::hand
