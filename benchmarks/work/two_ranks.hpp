// Defines TwoRanks, the time of a step of two ranks in one process, with a network of any speed between them.
#pragma once

#include <tapestry/deeplearning.hpp>
#include <tapestry/distributed.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
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

/// A network that carries the bytes of one collective at a time. Small messages pass large ones.
class Network {
 public:
  using Duration = std::chrono::nanoseconds;

  /// In ns.
  Network(double latency, double perByte) : latency_(latency), perByte_(perByte) {}

  /// The time from now on that a collective of so many bytes takes.
  Duration delay(std::size_t bytes) {
    if (bytes < smallBytes) return nanoseconds(latency_);
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    free_ = std::max(now, free_) + nanoseconds(perByte_ * static_cast<double>(bytes));
    return free_ - now + nanoseconds(latency_);
  }

 private:
  static constexpr std::size_t smallBytes = 1024;
  static Duration nanoseconds(double count) { return Duration(static_cast<std::int64_t>(count)); }

  const double latency_, perByte_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point free_{};  ///< when the last bytes that were sent have been carried
};

/// Sleeps in the backward computation of each product, as if it took so long.
class SleepingProducts final : public PassObserver {
 public:
  explicit SleepingProducts(std::chrono::microseconds time) : time_(time) {}
  void observe(Event event, std::string_view name, const void*) noexcept override {
    if (event == Event::backward && name == "matmul") std::this_thread::sleep_for(time_);
  }

 private:
  const std::chrono::microseconds time_;
};

/// Each rank has one thread.
struct TwoRanks {
  static constexpr std::size_t layerBytes = LayersOfRank::width * LayersOfRank::width * sizeof(float);
  static constexpr double bytes = static_cast<double>(LayersOfRank::count * layerBytes);

  double latency = 0;  ///< of a collective, in ns
  double perByte = 0;  ///< in ns
  std::size_t bucketBytes = layerBytes;
  /// If not 0, the backward computation of a layer sleeps for so long, and computes next to nothing.
  std::chrono::microseconds layerSleep{0};

  /// The median time of a step, in ms.
  double step() const {
    const auto times = steps();
    return times[times.size() / 2];
  }
  /// The least time of a step, in ms, which other programs of the machine disturb least.
  double leastStep() const { return steps().front(); }

 private:
  /// The times of steps, in order.
  std::vector<double> steps() const {
    const auto network = std::make_shared<Network>(latency, perByte);
    const auto communicators =
        localCommunicators(2, {.delay = [network](std::size_t count) { return network->delay(count); }});
    std::array<std::vector<double>, 2> times;
    std::thread other([&] { run(communicators[1], times[1]); });
    run(communicators[0], times[0]);
    other.join();
    std::ranges::sort(times[0]);
    return times[0];
  }

  void run(const LocalCommunicator& communicator, std::vector<double>& times) const {
    const LayersOfRank model;
    Generator generator(2 + communicator.rank());
    const bool sleeps = layerSleep.count() > 0;
    const TensorLayer x(normal({sleeps ? 1U : 128U, LayersOfRank::width}, 0, 1, generator));
    replicate(communicator, model, {.bucketBytes = bucketBytes})
        .map([&](const Replicas& replicas) {
          const auto computed = train(mean(model(x)), allReduce(replicas));
          const auto step =
              sleeps ? observed(computed, std::make_shared<SleepingProducts>(layerSleep)) : computed;
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
