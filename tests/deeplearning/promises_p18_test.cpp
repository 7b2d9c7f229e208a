// P18: when a pass has ended, nothing of it is left, and predict frees what nobody can ask for any more.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "support/networks/evaluations.hpp"
#include "support/programs/counted.hpp"
#include "support/programs/delivery.hpp"
#include "support/programs/manual.hpp"
#include "support/threads/small_stack.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/tensor/buffer_pool.hpp"

using namespace tapestry;
using test::Counted;
using test::Delivery;
using test::Evaluations;
using test::Manual;

namespace {

constexpr std::size_t elements = 1 << 18;
constexpr std::size_t oneTensor = elements * sizeof(float);

Tensor<float> large(float value = 1) { return Tensor<float>::full({elements}, value); }

/// The buffers that live now, over those at its construction.
struct Baseline {
  std::size_t buffers = BufferPool::liveBuffers();
  std::size_t bytes = BufferPool::liveBytes();
  int counted = Counted::live();

  bool reached() const { return BufferPool::liveBuffers() == buffers && Counted::live() == counted; }
  std::size_t tensors() const { return (BufferPool::liveBytes() - bytes + oneTensor / 2) / oneTensor; }
};

/// The most tensors that lived over the baseline when a layer was evaluated, that layer's result not
/// included.
class Peak {
 public:
  Peak() {
    count_.onForward = [this] { most_ = std::max(most_, baseline_.tensors()); };
  }
  template <class L>
  auto operator()(const L& layer) const {
    return count_(layer);
  }
  /// Starts anew from here.
  void reset() {
    baseline_ = Baseline();
    most_ = 0;
    count_.reset();
  }
  std::size_t most() const { return most_; }

 private:
  Baseline baseline_;
  std::size_t most_ = 0;
  Evaluations count_;
};

/// A layer of a program that holds something that is counted, until its tape is released.
TensorLayer holding(const TensorWeight& weight) {
  return TensorLayer(scoped([] { return Counted(1); }).flatMap([weight](const auto& handle) {
    return forward(weight * 2.0F).map([handle](const auto& tape) { return tape; });
  }));
}

std::size_t residentBytes() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("train, gradients and predict leave nothing behind") {
  ThreadPool pool(2);
  const TensorWeight weight(Tensor<float>::full({100}, 1), sgd(0.01));
  const Evaluations count;
  const auto loss = sum(count(holding(weight) * weight) + relu(holding(weight)));
  const Baseline baseline;
  for (int i = 0; i < 3; ++i) {
    train(loss, holding(weight)).blockingAwait();
    CHECK(baseline.reached());
    train(loss).blockingAwait(pool);
    CHECK(baseline.reached());
    static_cast<void>(gradients(loss).blockingAwait().of(weight));
    CHECK(baseline.reached());
    predict(loss).blockingAwait(pool);
    CHECK(baseline.reached());
  }
}

TEST_CASE("passes that fail leave nothing behind") {
  const TensorWeight weight(Tensor<float>::full({100}, 1), sgd(0.01));
  Evaluations count;
  const auto loss = sum(count(holding(weight) * weight) + relu(holding(weight)));
  const Baseline baseline;
  const auto fail = [] { throw std::runtime_error("failed"); };
  count.onBackward = fail;
  CHECK_THROWS_AS(train(loss).blockingAwait(), std::runtime_error);
  CHECK(baseline.reached());
  count.onForward = fail;
  CHECK_THROWS_AS(train(loss).blockingAwait(), std::runtime_error);
  CHECK(baseline.reached());
  CHECK_THROWS_AS(predict(loss).blockingAwait(), std::runtime_error);
  CHECK(baseline.reached());
}

TEST_CASE("passes that are cancelled leave nothing behind") {
  const TensorWeight weight(Tensor<float>::full({100}, 1), sgd(0.01));
  Manual<void> until;
  const TensorLayer late(
      Do<void>::lift(until.program()).flatMap([weight] { return forward(weight * 2.0F); }));
  const auto loss = sum(holding(weight) + late);
  const auto baseline = Baseline();
  const StopSource stop;
  Delivery<double> training;
  Delivery<double> predicting;
  train(loss).onComplete(training.callback(), stop.token());
  predict(loss).onComplete(predicting.callback(), stop.token());
  CHECK_FALSE(baseline.reached());
  stop.requestStop();
  until.take()();
  until.take()();
  CHECK(training.outcome().isCancelled());
  CHECK(predicting.outcome().isCancelled());
  CHECK(baseline.reached());
}

TEST_CASE("graphs that are made for each pass are gone with it") {
  const DoubleWeight weight(1, sgd(0.01));
  const Baseline baseline;
  for (int i = 0; i < 10; ++i) {
    const auto operation = unaryOperation<"holder", Keep::output>(
        [counted = Counted(1)](double x) { return x; }, [](double delta, double) { return delta; });
    const DoubleLayer dynamic(Do<void>::now().flatMap([=] { return forward(operation(operation(weight))); }));
    train(operation(dynamic) + dynamic).blockingAwait();
    predict(operation(dynamic) + dynamic).blockingAwait();
  }
  CHECK(baseline.reached());
}

TEST_CASE("the resident memory of a training loop is flat") {
  const TensorWeight weight(Tensor<float>::full({64}, 0), sgd(0.001));
  const DoubleWeight gate(1, momentum({.learningRate = 0.001}));
  const auto pass = [&](int i) {
    const auto input = Tensor<float>::full({64}, static_cast<float>(i % 7));
    const DoubleLayer dynamic(forward(gate).flatMap(
        [&, input](const auto& tape) { return forward(tape.data > 0 ? sum(weight * input) : gate * 1.0); }));
    train((dynamic + gate) * 0.001).blockingAwait();
  };
  for (int i = 0; i < 100; ++i) pass(i);
  [[maybe_unused]] const std::size_t before = residentBytes();
  for (int i = 100; i < (test::hasSmallStacks ? 100'000 : 1'000); ++i) pass(i);
  if (test::hasSmallStacks) CHECK(residentBytes() < before + 256 * 1024);
}

TEST_CASE("predict frees the intermediates of a chain as it goes") {
  const TensorWeight weight(large());
  Peak peak;
  auto layer = peak(weight * 2.0F);
  for (int i = 0; i < 30; ++i) layer = peak(relu(layer) + 1.0F);
  peak.reset();
  const auto last = sum(layer);
  layer = TensorLayer(Tensor<float>());
  predict(last).blockingAwait();
  CHECK(peak.most() >= 1);
  CHECK(peak.most() <= 3);
}

TEST_CASE("predict frees the intermediates of diamonds as it goes") {
  const TensorWeight weight(large());
  Peak peak;
  auto layer = peak(weight * 2.0F);
  for (int i = 0; i < 30; ++i) layer = peak(relu(layer)) + peak(layer * 0.5F);
  const auto last = sum(layer);
  layer = TensorLayer(Tensor<float>());
  peak.reset();
  predict(last).blockingAwait();
  CHECK(peak.most() >= 1);
  CHECK(peak.most() <= 4);
}

TEST_CASE("predict frees the intermediates that a dynamic layer makes as it goes") {
  const TensorWeight weight(large());
  Peak peak;
  const TensorLayer dynamic(Do<void>::now().flatMap([&] {
    auto layer = peak(weight * 2.0F);
    for (int i = 0; i < 30; ++i) layer = peak(relu(layer) + 1.0F);
    return forward(layer);
  }));
  peak.reset();
  predict(sum(dynamic)).blockingAwait();
  CHECK(peak.most() >= 1);
  CHECK(peak.most() <= 3);
}

TEST_CASE("predict on a pool frees the intermediates as it goes") {
  ThreadPool pool(2);
  const TensorWeight weight(large());
  const Baseline baseline;
  std::atomic<std::size_t> most{0};
  Evaluations count;
  count.onForward = [&] {
    for (std::size_t seen = most, now = baseline.tensors();
         seen < now && !most.compare_exchange_weak(seen, now);) {
    }
  };
  const auto chain = [&] {
    auto layer = count(weight * 2.0F);
    for (int i = 0; i < 30; ++i) layer = count(relu(layer) + 1.0F);
    return sum(layer);
  };
  const auto loss = chain() + chain();
  for (int i = 0; i < 5; ++i) predict(loss).blockingAwait(pool);
  CHECK(most >= 1);
  CHECK(most <= 6);
}

TEST_CASE("a layer with a handle keeps its data for consumers later in the pass") {
  const TensorWeight weight(large());
  const Evaluations count;
  const auto held = count(weight * 2.0F);
  const DoubleLayer late(
      forward(sum(held)).run().flatMap([held](const auto&) { return forward(sum(held)); }));
  CHECK(predict(late).blockingAwait() == 2 * elements);
  CHECK(count.forwards() == 1);
}

TEST_CASE("train keeps only what derivatives need") {
  const TensorWeight weight(large());
  Peak peak;
  auto layer = peak(weight + 1.0F);
  for (int i = 0; i < 30; ++i) layer = peak(layer + 1.0F);
  const auto last = sum(layer);
  layer = TensorLayer(Tensor<float>());
  peak.reset();
  train(last).blockingAwait();
  CHECK(peak.most() >= 1);
  CHECK(peak.most() <= 3);
}

TEST_CASE("gradients with a handle hold nothing of their pass") {
  const TensorWeight weight(Tensor<float>::full({100}, 1));
  std::optional<Gradients<double>> kept;
  const Baseline baseline;
  kept = gradients(sum(weight * weight)).blockingAwait();
  CHECK(BufferPool::liveBuffers() == baseline.buffers + 1);
  CHECK(kept->of(weight) == Tensor<float>::full({100}, 2));
  kept.reset();
  CHECK(baseline.reached());
}
