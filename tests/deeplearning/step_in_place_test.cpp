// Large weights, which gradient descent steps in place where nobody else has their values.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <variant>

#include "support/error_text.hpp"
#include "support/threads/on_threads.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

namespace {

using tapestry::DoubleLayer;
using tapestry::Shape;
using tapestry::Tensor;
using tapestry::TensorWeight;

// As few multiplications as are done in place, and shared among threads.
constexpr std::size_t batchRows = 16;
constexpr std::size_t extent = 256;

TensorWeight largeWeight(tapestry::Rate rate = 1.0 / batchRows) {
  return TensorWeight(Tensor<float>::zeros({extent, extent}), tapestry::sgd(std::move(rate)));
}

/// The derivative with respect to each element is `batchRows`, so that a step of largeWeight is -1.
DoubleLayer lossOf(const TensorWeight& weight) {
  const std::size_t inputs = weight.data().shape()[0];
  return tapestry::sum(tapestry::matmul(Tensor<float>::full({batchRows, inputs}, 1), weight));
}

bool allAre(const Tensor<float>& tensor, float expected) {
  return std::ranges::all_of(tensor.values(), [expected](float value) { return value == expected; });
}

bool hasOneValue(const Tensor<float>& tensor) { return allAre(tensor, tensor.values().front()); }

template <class T>
std::uintptr_t addressOf(const Tensor<T>& values) {
  return reinterpret_cast<std::uintptr_t>(values.data());
}
/// Where the weight keeps its values. A number, since the tensor that data() returns is only a handle on
/// them.
std::uintptr_t addressOf(const auto& weight) { return addressOf(weight.data()); }

/// SGD that fails.
struct Failing {
  template <class V>
  struct State {};

  double step(const double&, double, State<double>&) const { throw std::runtime_error("optimizer"); }
};

}  // namespace

TEST_CASE("a large weight is stepped in place if no other handle has its value") {
  const TensorWeight weight = largeWeight();
  const std::uintptr_t before = addressOf(weight);
  for (int step = 1; step <= 3; ++step) {
    tapestry::train(lossOf(weight)).blockingAwait();
    CHECK(addressOf(weight) == before);
    CHECK(allAre(weight.data(), static_cast<float>(-step)));
  }
}

TEST_CASE("a step leaves a large value unchanged that another handle has") {
  const TensorWeight weight = largeWeight();
  const Tensor<float> held = weight.data();
  tapestry::train(lossOf(weight)).blockingAwait();
  CHECK(allAre(held, 0));
  CHECK(allAre(weight.data(), -1));
  const Tensor<float> reshaped = weight.data().reshape({extent * extent});
  tapestry::train(lossOf(weight)).blockingAwait();
  CHECK(allAre(reshaped, -1));
  CHECK(allAre(weight.data(), -2));
}

TEST_CASE("the pass of a step observes the value of a large weight before the step") {
  const TensorWeight weight = largeWeight();
  const auto [loss, observed] = tapestry::train(lossOf(weight), weight * 1.0F).blockingAwait();
  CHECK(allAre(observed, 0));
  const auto [next, data] = tapestry::train(lossOf(weight), weight).blockingAwait();
  CHECK(next == -static_cast<double>(batchRows * extent * extent));
  CHECK(allAre(data, -1));
  CHECK(allAre(weight.data(), -2));
}

TEST_CASE("a large weight is stepped only where nothing else can fail") {
  // in either order of their addresses
  const tapestry::DoubleWeight first(1, Failing{});
  const TensorWeight weight = largeWeight();
  const tapestry::DoubleWeight last(1, Failing{});
  const std::uintptr_t before = addressOf(weight);
  for (const auto& failing : {first, last}) {
    CHECK(tapestry::test::errorOf([&] { tapestry::train(lossOf(weight) + failing * 1.0).blockingAwait(); }) ==
          "optimizer");
    CHECK(addressOf(weight) == before);
    CHECK(allAre(weight.data(), 0));
  }
}

TEST_CASE("uses of a large weight add up to one step in place") {
  const TensorWeight weight = largeWeight();
  const std::uintptr_t before = addressOf(weight);
  tapestry::train(lossOf(weight) + lossOf(weight) * 2.0).blockingAwait();
  CHECK(addressOf(weight) == before);
  CHECK(allAre(weight.data(), -3));
}

TEST_CASE("a large weight follows a schedule as a small one does") {
  const auto rate = tapestry::stepDecay({.initial = 1.0 / batchRows, .factor = 0.5, .every = 2});
  const TensorWeight large = largeWeight(rate);
  const TensorWeight small(Tensor<float>::zeros({2, 2}), tapestry::sgd(rate));
  for (int step = 0; step < 5; ++step) {
    tapestry::train(lossOf(large) + lossOf(small)).blockingAwait();
    CHECK(allAre(large.data(), small.data().values().front()));
  }
  CHECK(allAre(large.data(), -3.25F));
}

TEST_CASE("no step of concurrent passes on a large weight is lost, and readers see whole values") {
  constexpr int passes = 100;
  const TensorWeight weight = largeWeight();
  tapestry::ThreadPool pool(2);
  std::atomic<bool> ended = false;
  std::atomic<int> torn = 0;
  std::thread reader([&] {
    const auto product = tapestry::matmul(Tensor<float>::full({1, extent}, 1), weight);
    while (!ended) {
      torn += !hasOneValue(weight.data());
      torn += !hasOneValue(tapestry::predict(product).blockingAwait());
    }
  });
  tapestry::test::onThreads(3, [&](int) {
    for (int i = 0; i < passes; ++i) tapestry::train(lossOf(weight)).blockingAwait(pool);
  });
  ended = true;
  reader.join();
  CHECK(torn == 0);
  CHECK(allAre(weight.data(), -3 * passes));
}

TEST_CASE("a value that is set while a large weight is stepped wins or is stepped from, whole") {
  const TensorWeight weight = largeWeight();
  std::atomic<bool> ended = false;
  std::atomic<int> trains = 0;
  std::thread trainer([&] {
    while (!ended) {
      tapestry::train(lossOf(weight)).blockingAwait();
      ++trains;
    }
  });
  // more than the steps while this thread waits for a processor; no float is larger than 2^23
  constexpr float apart = 50'000;
  for (int i = 1; i <= 160; ++i) {
    const float given = static_cast<float>(i) * apart + 0.5F;
    weight.setData(Tensor<float>::full({extent, extent}, given));
    const int before = trains;
    while (trains < before + 2) std::this_thread::yield();  // a step that was under way has ended
    const Tensor<float> data = weight.data();
    CHECK(hasOneValue(data));
    CHECK(data.values().front() < given);
    CHECK(data.values().front() > given - apart);
  }
  ended = true;
  trainer.join();
}

TEST_CASE("a large weight of double, and one whose value is a reshape, are stepped in place") {
  const tapestry::DoubleTensorWeight doubles(Tensor<double>::zeros({extent, extent}),
                                             tapestry::sgd(1.0 / batchRows));
  const std::uintptr_t before = addressOf(doubles);
  tapestry::train(tapestry::sum(tapestry::matmul(Tensor<double>::full({batchRows, extent}, 1), doubles)))
      .blockingAwait();
  CHECK(addressOf(doubles) == before);
  CHECK(std::ranges::all_of(doubles.data().values(), [](double value) { return value == -1; }));
  const TensorWeight reshaped = largeWeight();
  reshaped.setData(Tensor<float>::zeros({extent * extent}).reshape({extent, extent}));
  tapestry::train(lossOf(reshaped)).blockingAwait();
  CHECK(allAre(reshaped.data(), -1));
}

TEST_CASE("a large step that is shared among threads is the same") {
  tapestry::ThreadPool pool(2);
  const TensorWeight weight = largeWeight();
  const std::uintptr_t before = addressOf(weight);
  for (int step = 1; step <= 20; ++step) {
    tapestry::train(lossOf(weight)).blockingAwait(pool);
    CHECK(addressOf(weight) == before);
    CHECK(allAre(weight.data(), static_cast<float>(-step)));
  }
}

TEST_CASE(
    "the value and the optimizer's state of a large weight belong to one step, also if the value is shared") {
  const TensorWeight weight = largeWeight();
  const auto node = tapestry::nodeOf(weight);
  const auto& cell = static_cast<const tapestry::detail::WeightNode<Tensor<float>>&>(*node);
  std::atomic<bool> ended = false;
  std::atomic<int> mixed = 0;
  std::thread reader([&] {
    while (!ended) {
      const auto [value, stepper] = cell.snapshot();
      const auto steps = std::get<std::uint64_t>(stepper->parts()->front().second);
      mixed += (*value).values().front() != -static_cast<float>(steps);
    }
  });
  for (int i = 0; i < 300; ++i) {
    const Tensor<float> held = weight.data();
    tapestry::train(lossOf(weight)).blockingAwait();
  }
  ended = true;
  reader.join();
  CHECK(mixed == 0);
}
