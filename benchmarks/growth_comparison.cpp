// How costs grow with the graph: time and memory of an operation, in a large graph beside a small one.
#include <tapestry/deeplearning.hpp>

#include <functional>
#include <string>
#include <utility>

#include "compare/process.hpp"
#include "compare/side.hpp"
#include "ours/sides.hpp"

namespace tapestry::benchmarks {

namespace {

/// Costs of an operation, of so many in one graph beside a few.
Row grows(const std::string& name, const std::string& unit, double target, const std::string& few,
          std::function<double()> large, std::function<double()> small) {
  return {.name = "growth_" + name,
          .unit = unit,
          .peer = few,
          .target = target,
          .ours = std::move(large),
          .theirs = std::move(small)};
}

/// The cost of an operation in chains of `links` links, 100,000 operations in all.
std::function<double()> scalarCost(int links) {
  const ScalarChain chain{.links = links, .chains = 50'000 / links};
  return [chain] { return nanoseconds(chain.operations(), oursOnScalars(chain).run); };
}

std::function<double()> smallCost(int links) {
  SmallChain chain;
  chain.links = links;
  chain.chains = 33'000 / links;
  return [chain] { return nanoseconds(chain.operations(), oursOnSmall(chain).run); };
}

/// A layer of `depth` levels, each of which uses the level before twice.
DoubleLayer diamonds(const DoubleWeight& weight, int depth) {
  DoubleLayer x = weight * 1.0;
  for (int i = 0; i < depth; ++i) x = x * 0.5 + x * 0.5;
  return x;
}

/// Linear, though a graph that is larger than the caches costs more.
std::function<double()> diamondCost(int depth) {
  return [depth] {
    const DoubleWeight weight(1);
    const int times = 10'000 / depth;
    double gradient = 0;
    const double cost = nanoseconds(10'000, [&] {
      for (int i = 0; i < times; ++i)
        gradient += gradients(diamonds(weight, depth)).blockingAwait().of(weight);
    });
    check(gradient, static_cast<double>(times));
    return cost;
  };
}

TensorLayer smallChain(const TensorWeight& w, int links) {
  TensorLayer x(Tensor<float>::full({64}, 0.5F));
  for (int i = 0; i < links; ++i) x = tanh(x * w);
  return x;
}

/// The bytes that a pass makes resident for each operation of its graph, in a process of its own.
std::function<double()> passBytes(const char* links) {
  return [links] { return std::stod(runProcess({TAPESTRY_PROGRAMS_DIR "/pass_memory", links}).output); };
}

/// The most bytes in tensors while a chain is evaluated: that of its widest cut, however long it is.
std::function<double()> predictBytes(int links) {
  return [links] {
    const TensorWeight w(Tensor<float>::full({64}, 0.5F));
    return static_cast<double>(countPass(predict(smallChain(w, links))).blockingAwait().second.mostBytes);
  };
}

}  // namespace

std::vector<Row> rows() {
  return {
      grows("scalar_time", "ns/op", 1.5, "100 operations, not 100,000", scalarCost(50'000), scalarCost(50)),
      grows("small_time", "ns/op", 1.5, "100 operations, not 100,000", smallCost(33'000), smallCost(33)),
      grows("diamond_time", "ns/level", 2, "10 levels, not 10,000", diamondCost(10'000), diamondCost(10)),
      grows("pass_memory", "bytes/op", 1.2, "10,000 operations, not 100,000", passBytes("50000"),
            passBytes("5000")),
      grows("predict_memory", "bytes", 1.1, "100 operations, not 10,000", predictBytes(5'000),
            predictBytes(50)),
  };
}

}  // namespace tapestry::benchmarks
