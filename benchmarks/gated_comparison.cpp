// The paper's gated network, in which every image chooses its own expert: beside the same in libtorch.
#include <string>

#include "compare/side.hpp"
#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

const GatedWork& work() {
  static const GatedWork made;
  return made;
}

Row row(const std::string& name, const std::string& unit, unsigned threads, double target) {
  return {.name = name + "_torch_t" + std::to_string(threads),
          .unit = unit,
          .peer = libtorch::description(),
          .target = target,
          .threads = threads};
}

Row digits(unsigned threads, double target) {
  return compareSides(
      row("digits", "ms/epoch", threads, target), 1, [=] { return oursOnDigits(work(), threads); },
      libtorch::sides([](unsigned theirs) { return libtorch::digits(work(), theirs); }));
}

Row predictions() {
  return compareSides(
      row("predict", "us/image", 1, 0.4), GatedWork::predicted, [] { return oursOnPredictions(work(), 1); },
      libtorch::sides([](unsigned theirs) { return libtorch::predictions(work(), theirs); }));
}

}  // namespace

std::vector<Row> rows() { return {digits(1, 0.25), digits(2, 0.15), predictions()}; }

}  // namespace tapestry::benchmarks
