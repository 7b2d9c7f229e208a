// A network of 784-256-100-10 on handwritten digits, an epoch of Adam: beside the same in libtorch.
#include <map>
#include <string>

#include "compare/side.hpp"
#include "libtorch/sides.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

const MnistWork& work(std::size_t batchSize) {
  static std::map<std::size_t, const MnistWork> works;
  return works.try_emplace(batchSize, batchSize, MnistWork::Batches::kept).first->second;
}

Row compare(std::size_t batchSize, unsigned threads, double target) {
  return compareSides(
      {.name = "mnist_" + std::to_string(batchSize) + "_torch_t" + std::to_string(threads),
       .unit = "ms/epoch",
       .peer = libtorch::description(),
       .target = target,
       .threads = threads,
       .repetitions = 5},
      1, [=] { return oursOnMnist(work(batchSize), threads); },
      libtorch::sides([=](unsigned theirs) { return libtorch::mnist(work(batchSize), theirs); }));
}

}  // namespace

std::vector<Row> rows() {
  return {compare(64, 1, 0.65), compare(64, 2, 0.45), compare(1000, 1, 0.95), compare(1000, 2, 0.6)};
}

}  // namespace tapestry::benchmarks
