// Defines Side, one of two that do the same work, and compareSides, the row in which they take turns.
#pragma once

#include <functional>
#include <vector>

#include "compare/compare.hpp"

namespace tapestry::benchmarks {

/// Work that can be done again and again, to the same result each time.
struct Side {
  std::function<void()> reset;       ///< back to where the work starts; not timed
  std::function<double()> run;       ///< does it; what it came to, such as the loss after it
  std::function<double()> result{};  ///< computes the result instead, if this takes time; not timed
};

/// Makes a side when the row is measured.
using MakeSide = std::function<Side()>;

/// The row, with what runs one of ours and of theirs, and a unit of ns, us or ms for each of so many
/// operations. Of several of theirs the fastest takes part, chosen by a measurement before the row's. Fails
/// unless the results agree within the tolerance, which is relative where they are above 1. Without theirs,
/// the peer is not installed, and the row is left out.
Row compareSides(Row row, long operations, MakeSide ours, std::vector<MakeSide> theirs,
                 double tolerance = 1e-4);

}  // namespace tapestry::benchmarks
