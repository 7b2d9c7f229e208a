// The program of docs/distributed.md: ranks that train a line together, in one process and with MPI.
#include <tapestry/data.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/distributed.hpp>
#include <tapestry/raii.hpp>

#include <cstdio>
#include <vector>

using namespace tapestry;

namespace {

// [model]
struct Point {
  double x, y;
};

/// Points on the line y = 2 x + 1.
struct Points {
  std::size_t size() const { return 10; }
  Point get(std::size_t index) const {
    const double x = static_cast<double>(index) / 10;
    return {x, 2 * x + 1};
  }
};

struct Line {
  Weights weights() const { return {{"slope", slope}, {"offset", offset}}; }
  DoubleLayer loss(const std::vector<Point>& points) const {
    DoubleLayer sum(0.0);
    for (const auto& [x, y] : points) sum = sum + pow(slope * x + offset - y, 2.0);
    return sum / static_cast<double>(points.size());
  }
  DoubleWeight slope{0.0, momentum({.learningRate = 0.1})};
  DoubleWeight offset{0.0, momentum({.learningRate = 0.1})};
};
// [/model]

// [step]
Do<void> step(const Line& line, const Replicas& replicas, const std::vector<Point>& share) {
  if (share.empty()) return joinStep(replicas);
  const auto reduction = allReduce(replicas, {.weight = static_cast<double>(share.size())});
  return train(line.loss(share), reduction).map([](double) {});
}
// [/step]

// [learn]
template <Communicator C>
Do<void> learn(const C& communicator) {
  const Line line;
  const auto batches = scatter(Batches(Points(), {.size = 4}), communicator);
  const auto epoch = [=](const Replicas& replicas, std::uint64_t number) {
    const auto shares = batches.epoch(number);
    std::vector<Do<void>> steps;
    for (std::size_t i = 0; i < shares.size(); ++i)
      steps.push_back(step(line, replicas, shares.get(i)).run());
    return steps;
  };
  return replicate(communicator, line)
      .flatMap([=](const Replicas& replicas) {
        Do<void> all = Do<void>::now();
        for (std::uint64_t number = 0; number < 100; ++number)
          for (const Do<void>& next : epoch(replicas, number)) all = all.flatMap([next] { return next; });
        return all.flatMap([replicas] { return checkSame(replicas); }).map([=] {
          if (replicas.rank() == 0)
            std::printf("%zu ranks: slope %.2f, offset %.2f\n", replicas.size(), line.slope.data(),
                        line.offset.data());
        });
      })
      .run();
}
// [/learn]

}  // namespace

int main() {
  // [local]
  const auto ranks = localCommunicators(2);
  tuple2(parallel(learn(ranks[0])), parallel(learn(ranks[1]))).blockingAwait();
  // [/local]
  // [mpi]
  const MpiWorld world;
  learn(world.communicator()).blockingAwait();
  // [/mpi]
  // [work]
  const auto squares = parTraverseRanks(world.communicator(), std::vector{1, 2, 3}, 2,
                                        [](int number) { return Do<int>::now(number * number); });
  for (const int square : squares.blockingAwait()) std::printf("%d\n", square);
  // [/work]
}
