// Defines oursOnRanking, the factorisation of the rows bpr_* in this library.
#pragma once

#include "compare/side.hpp"
#include "work/ranking.hpp"

namespace tapestry::benchmarks {

/// The work must outlive it.
Side oursOnRanking(const RankingWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
