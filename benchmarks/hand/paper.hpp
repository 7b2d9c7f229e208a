// Defines paperByHand, the network of the paper's evaluation as one would write it for this network alone.
#pragma once

#include <functional>
#include <vector>

#include "compare/side.hpp"
#include "hand/division.hpp"
#include "hand/product.hpp"
#include "work/paper.hpp"

namespace tapestry::benchmarks::hand {

/// The step of each weight is part of the product that makes its gradient. On one thread, unless the work is
/// divided. The work must outlive it.
Side paperByHand(const PaperWork& work, Library library, Division division = Division::none);

/// By each division, none included; empty without oneTBB.
std::vector<MakeSide> paperByHandDivided(std::function<const PaperWork&()> work);

}  // namespace tapestry::benchmarks::hand
