// Declares the sides that are written by hand. The works must outlive them.
#pragma once

#include <functional>
#include <vector>

#include "compare/side.hpp"
#include "hand/division.hpp"
#include "hand/product.hpp"
#include "work/layers.hpp"
#include "work/paper.hpp"
#include "work/ranking.hpp"

namespace tapestry::benchmarks::hand {

/// Rows dense_*: the five products of matrices, each by the faster of OpenBLAS and oneDNN.
Side bareProducts(const DenseWork& work, unsigned threads);

/// Rows conv_*: the three convolutions of oneDNN, from and to plain arrays. It computes in the formats that
/// it likes best, each array reordered once, or in the plain ones.
enum class Formats { best, plain };
Side bareConvolutions(const ConvolutionWork& work, Formats formats, unsigned threads);

/// Rows paper_*. The step of each weight is part of the product that makes its gradient. On one thread,
/// unless the work is divided.
Side paperByHand(const PaperWork& work, Library library, Division division = Division::none);

/// By each division, none included; empty without oneTBB.
std::vector<MakeSide> paperByHandDivided(std::function<const PaperWork&()> work);

/// Rows bpr_*: a loop over plain arrays. Each triple takes its step at once, without a mini-batch; threads
/// take turns in mini-batches and do not wait for each other.
Side rankingByHand(const RankingWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::hand
