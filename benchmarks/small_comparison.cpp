// Small operations, where the engine's own costs count: beside libtorch.
#include "compare/side.hpp"
#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

std::vector<Row> rows() {
  static const ScalarChain scalars;
  static const SmallChain small;
  static const LstmWork lstm;
  const auto row = [](const char* name, const char* unit, double target) {
    return Row{.name = name, .unit = unit, .peer = libtorch::description(), .target = target};
  };
  return {
      compareSides(
          row("scalar_torch_t1", "ns/op", 0.06), scalars.operations(), [] { return oursOnScalars(scalars); },
          libtorch::sides([](unsigned threads) { return libtorch::scalars(scalars, threads); })),
      compareSides(
          row("small_torch_t1", "ns/op", 0.1), small.operations(), [] { return oursOnSmall(small); },
          libtorch::sides([](unsigned threads) { return libtorch::small(small, threads); })),
      compareSides(
          row("lstm_torch_t1", "us/pass", 0.25), LstmWork::passes, [] { return oursOnLstm(lstm, 1); },
          libtorch::sides([](unsigned threads) { return libtorch::lstm(lstm, threads); })),
  };
}

}  // namespace tapestry::benchmarks
