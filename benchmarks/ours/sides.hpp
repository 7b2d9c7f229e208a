// Declares the sides that this library takes in comparisons. The works must outlive them.
#pragma once

#include "compare/side.hpp"
#include "work/gated.hpp"
#include "work/layers.hpp"
#include "work/mnist.hpp"
#include "work/paper.hpp"
#include "work/ranking.hpp"
#include "work/small.hpp"

namespace tapestry::benchmarks {

/// Rows scalar_*, small_* and lstm_*.
Side oursOnScalars(const ScalarChain& chain);
Side oursOnSmall(const SmallChain& chain);
Side oursOnLstm(const LstmWork& work, unsigned threads);

/// Rows dense_* and conv_*.
Side oursOnDense(const DenseWork& work, unsigned threads);
Side oursOnConvolution(const ConvolutionWork& work, unsigned threads);

/// Rows digits_* and predict_*.
Side oursOnDigits(const GatedWork& work, unsigned threads);
Side oursOnPredictions(const GatedWork& work, unsigned threads);

/// Rows mnist_*, paper_* and bpr_*.
Side oursOnMnist(const MnistWork& work, unsigned threads);
Side oursOnPaper(const PaperWork& work, unsigned threads);
Side oursOnRanking(const RankingWork& work, unsigned threads);

}  // namespace tapestry::benchmarks
