// Declares the sides that libtorch takes in comparisons. The works must outlive them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/side.hpp"
#include "work/gated.hpp"
#include "work/mnist.hpp"
#include "work/paper.hpp"
#include "work/small.hpp"

namespace tapestry::benchmarks::libtorch {

/// "libtorch", with its version and the kernels it uses, if it was found when this was built.
std::string description();

/// The side on one thread and on two, of which the faster takes part; none if libtorch was not found.
std::vector<MakeSide> sides(const std::function<Side(unsigned threads)>& make);

/// Rows scalar_*, small_* and lstm_*.
Side scalars(const ScalarChain& chain, unsigned threads);
Side small(const SmallChain& chain, unsigned threads);
Side lstm(const LstmWork& work, unsigned threads);

/// Rows digits_* and predict_*.
Side digits(const GatedWork& work, unsigned threads);
Side predictions(const GatedWork& work, unsigned threads);

/// Rows mnist_* and paper_*.
Side mnist(const MnistWork& work, unsigned threads);
Side paper(const PaperWork& work, unsigned threads);

}  // namespace tapestry::benchmarks::libtorch
