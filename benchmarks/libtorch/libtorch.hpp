// Defines what the sides in libtorch share: whether it is here, which it is, and on how many threads.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/side.hpp"

namespace tapestry::benchmarks::libtorch {

/// "libtorch", with its version and the kernels it uses, if it was found when this was built.
std::string description();

/// The side on one thread and on two, of which the faster takes part; none if libtorch was not found.
std::vector<MakeSide> sides(const std::function<Side(unsigned threads)>& make);

}  // namespace tapestry::benchmarks::libtorch
