// A trace of a pass shows that exchanges overlap with the backward computation.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/threads/within.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/distributed.hpp"
#include "tapestry/pictures.hpp"

using namespace tapestry;

namespace {

constexpr std::size_t tracedLayers = 4;

struct TracedModel {
  TracedModel() {
    for (std::size_t i = 0; i < tracedLayers; ++i) layers.emplace_back(Tensor<float>::full({8, 8}, 0.1F));
  }
  Weights weights() const { return {{"0", layers[0]}, {"1", layers[1]}, {"2", layers[2]}, {"3", layers[3]}}; }
  std::vector<TensorWeight> layers;
};

/// A trace; the backward computation of the last product waits until an exchange has begun, at most ten
/// seconds.
class DelayedTrace final : public PassObserver {
 public:
  void observe(Event event, std::string_view name, const void* pass) noexcept override {
    trace.observe(event, name, pass);
    if (event == Event::exchange) exchanges_ = true;
  }
  void observeNode(Event event, const extend::NodeView& node) noexcept override {
    trace.observeNode(event, node);
    if (event != Event::backward || node.name() != "matmul" || ++products_ < tracedLayers) return;
    test::within(std::chrono::seconds(10), [&] { return exchanges_.load(); });
  }
  ChromePassTrace trace;

 private:
  std::atomic<bool> exchanges_ = false;
  std::size_t products_ = 0;
};

/// A step of one of two ranks, with a bucket for each layer.
void takeTracedStep(const LocalCommunicator& communicator, const std::shared_ptr<DelayedTrace>& observer) {
  const TracedModel model;
  TensorLayer x(Tensor<float>::full({2, 8}, 1));
  for (const TensorWeight& layer : model.layers) x = tanh(matmul(x, layer));
  const auto loss = sum(x);
  replicate(communicator, model, {.bucketBytes = 4})
      .flatMap([=](const Replicas& replicas) { return observed(train(loss, allReduce(replicas)), observer); })
      .run()
      .blockingAwait();
}

double endOf(const nlohmann::json& bar) { return bar["ts"].get<double>() + bar["dur"].get<double>(); }

nlohmann::json barNamed(const nlohmann::json& bars, const std::string& name) {
  const auto found = std::ranges::find_if(bars, [&](const auto& bar) { return bar["name"] == name; });
  REQUIRE(found != bars.end());
  return *found;
}

}  // namespace

TEST_CASE("a trace shows that a slow exchange begins during the backward computation") {
  constexpr auto delay = std::chrono::milliseconds(2);
  const auto communicators = localCommunicators(2, {.delay = [=](std::size_t) { return delay; }});
  const auto first = std::make_shared<DelayedTrace>(), second = std::make_shared<DelayedTrace>();
  std::thread other([&] { takeTracedStep(communicators[1], second); });
  takeTracedStep(communicators[0], first);
  other.join();
  for (const auto& observer : {first, second}) {
    const auto bars = nlohmann::json::parse(ChromePassTrace::file(observer->trace.events()));
    double lastBackward = 0;
    for (const auto& bar : bars)
      if (bar["cat"] == "backward") lastBackward = std::max(lastBackward, endOf(bar));
    const auto exchange = barNamed(bars, "exchange bucket 0");
    CHECK(exchange["ts"].get<double>() < lastBackward);
    CHECK(exchange["dur"].get<double>() >= std::chrono::microseconds(delay).count());
    for (const char* name : {"exchange bucket 1", "exchange bucket 2", "exchange bucket 3"})
      CHECK(barNamed(bars, name)["ts"].get<double>() >= exchange["ts"].get<double>());
    CHECK(barNamed(bars, "exchange vote")["ts"].get<double>() >= endOf(exchange));
    CHECK(barNamed(bars, "exchange agreement")["ts"].get<double>() >= endOf(barNamed(bars, "exchange vote")));
  }
}
