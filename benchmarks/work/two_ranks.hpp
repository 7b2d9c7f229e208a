// Defines TwoRanks, the time of a step of two ranks in one process, with a network of any speed between them.
#pragma once

#include <tapestry/deeplearning.hpp>
#include <tapestry/distributed.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace tapestry::benchmarks {

/// Layers of 512 x 512, whose gradients are equally large and come at equal intervals.
struct LayersOfRank {
  static constexpr std::size_t count = 8, width = 512;

  LayersOfRank() {
    Generator generator(1);
    for (std::size_t i = 0; i < count; ++i)
      layers.emplace_back(glorotUniform({width, width}, generator), sgd(0.001));
  }
  Weights weights() const {
    return {{"0", layers[0]}, {"1", layers[1]}, {"2", layers[2]}, {"3", layers[3]},
            {"4", layers[4]}, {"5", layers[5]}, {"6", layers[6]}, {"7", layers[7]}};
  }
  TensorLayer operator()(const TensorLayer& x) const {
    TensorLayer y = x;
    for (const auto& layer : layers) y = tanh(matmul(y, layer));
    return y;
  }
  std::vector<TensorWeight> layers;
};

/// Each rank has one thread.
struct TwoRanks {
  static constexpr std::size_t layerBytes = LayersOfRank::width * LayersOfRank::width * sizeof(float);
  static constexpr double bytes = static_cast<double>(LayersOfRank::count * layerBytes);

  double latency = 0;  ///< of a collective, in ns
  double perByte = 0;  ///< in ns
  std::size_t bucketBytes = layerBytes;

  /// The median time of a step, in ms.
  double step() const {
    const auto communicators =
        localCommunicators(2, {.delay = [*this](std::size_t count) {
                             const double delay = latency + perByte * static_cast<double>(count);
                             return std::chrono::nanoseconds(static_cast<std::int64_t>(delay));
                           }});
    std::array<std::vector<double>, 2> times;
    std::thread other([&] { run(communicators[1], times[1]); });
    run(communicators[0], times[0]);
    other.join();
    std::ranges::sort(times[0]);
    return times[0][times[0].size() / 2];
  }

 private:
  void run(const LocalCommunicator& communicator, std::vector<double>& times) const {
    const LayersOfRank model;
    Generator generator(2 + communicator.rank());
    const TensorLayer x(normal({128, LayersOfRank::width}, 0, 1, generator));
    replicate(communicator, model, {.bucketBytes = bucketBytes})
        .map([&](const Replicas& replicas) {
          const auto step = train(mean(model(x)), allReduce(replicas));
          for (int i = 0; i < 25; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            static_cast<void>(step.blockingAwait());
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
            if (i >= 5) times.push_back(time.count());
          }
        })
        .run()
        .blockingAwait();
  }
};

}  // namespace tapestry::benchmarks
