// What is linked where libtorch was not found. None of the sides is ever made.
#include <stdexcept>

#include "libtorch/sides.hpp"

namespace tapestry::benchmarks::libtorch {

namespace {
Side missing() { throw std::logic_error("libtorch is not installed"); }
}  // namespace

std::string description() { return "libtorch"; }
std::vector<MakeSide> sides(const std::function<Side(unsigned)>&) { return {}; }

Side digits(const GatedWork&, unsigned) { return missing(); }
Side predictions(const GatedWork&, unsigned) { return missing(); }
Side lstm(const LstmWork&, unsigned) { return missing(); }
Side mnist(const MnistWork&, unsigned) { return missing(); }
Side scalars(const ScalarChain&, unsigned) { return missing(); }
Side small(const SmallChain&, unsigned) { return missing(); }
Side paper(const PaperWork&, unsigned) { return missing(); }

}  // namespace tapestry::benchmarks::libtorch
