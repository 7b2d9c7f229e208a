// Trains a network of 784-256-100-10 on digits, on the ranks of MPI, and prints the time of a step, in ms,
// and the mean of the first losses: of the rows allreduce_hand and ranks_mnist.
#include <mpi.h>
#include <tapestry/deeplearning.hpp>
#include <tapestry/distributed.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "work/mnist.hpp"
#include "work/weights.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::benchmarks;

constexpr std::size_t firstSteps = 20, measuredSteps = 200;

/// What one writes by hand: after the backward computation, all gradients in one buffer, and MPI_Allreduce.
class HandExchange final : public extend::Exchange {
 public:
  explicit HandExchange(const Weights& weights) : weights_(weights) {}

  void complete(extend::PassGradients, extend::WeightId) noexcept override {}

  Do<double> settle(extend::PassGradients pass, std::exception_ptr failure) override {
    if (failure) return Do<double>::raiseError(failure);
    return Do<double>::delay([this, pass] {
      std::vector<float> all;
      for (const auto& [name, weight] : weights_) {
        const auto gradient = std::get<Tensor<float>>(pass.take(extend::WeightId(weight)));
        all.insert(all.end(), gradient.values().begin(), gradient.values().end());
      }
      MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
      std::size_t offset = 0;
      for (const auto& [name, weight] : weights_) {
        const Shape shape = std::get<TensorWeight>(weight).data().shape();
        pass.put(extend::WeightId(weight),
                 Tensor<float>(shape, std::span(all).subspan(offset, shape.size())));
        offset += shape.size();
      }
      int ranks = 1;
      MPI_Comm_size(MPI_COMM_WORLD, &ranks);
      return 1.0 / ranks;
    });
  }
  Do<void> agree(std::exception_ptr failure) override {
    return failure ? Do<void>::raiseError(failure) : Do<void>::now();
  }

 private:
  const Weights weights_;
};

Reduction byHand(const Weights& weights) {
  return {Do<std::shared_ptr<extend::Exchange>>::delay(
      [weights] { return std::make_shared<HandExchange>(weights); })};
}

struct Measured {
  std::vector<double> milliseconds, losses;
};

/// Takes the steps from `step` on; each rank takes other batches.
template <class Network>
Do<void> trainFrom(std::size_t step, const Replicas& replicas, const Network& network, const MnistWork& work,
                   const Reduction& reduction, Measured& measured) {
  if (step == firstSteps + measuredSteps) return Do<void>::now();
  return Do<void>::suspend([=, &work, &measured] {
           const auto [images, labels] = work.get((step * replicas.size() + replicas.rank()) % work.size());
           const auto begin = std::chrono::steady_clock::now();
           return train(softmaxCrossEntropy(network(images), labels), reduction)
               .map([=, &measured](double loss) {
                 const std::chrono::duration<double, std::milli> time =
                     std::chrono::steady_clock::now() - begin;
                 if (step < firstSteps)
                   measured.losses.push_back(loss);
                 else
                   measured.milliseconds.push_back(time.count());
               });
         })
      .run()
      .flatMap([=, &work, &measured] {
        return trainFrom(step + 1, replicas, network, work, reduction, measured);
      });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: train_ranks ours|hand BATCH\n", stderr), 2;
  const bool ours = std::string(argv[1]) == "ours";
  const MpiWorld world;
  const MnistWork work(std::strtoul(argv[2], nullptr, 10), MnistWork::Batches::kept);
  const auto dense = [&](std::size_t layer) { return Dense<>(work.weights[2 * layer]); };
  const auto network = sequential(dense(0), operations::relu, dense(1), operations::relu, dense(2));
  network.weights().setOptimizer(adam({.learningRate = MnistWork::learningRate}));
  Measured measured;
  replicate(world.communicator(), network)
      .flatMap([&](const Replicas& replicas) {
        const Reduction reduction = ours ? allReduce(replicas) : byHand(network.weights());
        return trainFrom(0, replicas, network, work, reduction, measured);
      })
      .run()
      .blockingAwait();
  if (world.communicator().rank() != 0) return 0;
  std::ranges::sort(measured.milliseconds);
  const double loss = std::reduce(measured.losses.begin(), measured.losses.end()) / firstSteps;
  std::printf("%.6f %.6f\n", measured.milliseconds[measuredSteps / 2], loss);
}
