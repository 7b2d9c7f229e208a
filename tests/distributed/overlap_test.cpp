// Gradients of the last layers are on their way while those of the first are still computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "support/ranks/recording_communicator.hpp"
#include "support/ranks/replica_ranks.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Entries;
using test::Log;
using test::RecordingCommunicator;

namespace {

/// Records the backward computation of products. Each product waits, on the thread of the pass, until the
/// exchange of the gradient of the product before has begun.
class Products final : public PassObserver {
 public:
  explicit Products(std::shared_ptr<Log> log) : log_(std::move(log)) {}
  void observe(Event event, std::string_view name, const void*) noexcept override {
    if (event != Event::backward || name != "matmul") return;
    if (const char* before = awaited_[count_++]) log_->waitFor(before);
    log_->add("backward of a product");
  }

 private:
  static constexpr std::array<const char*, 3> awaited_{nullptr, "allReduce of 6", "allReduce of 12"};
  std::shared_ptr<Log> log_;
  std::size_t count_ = 0;
};

struct ThreeLayers {
  Weights weights() const { return {{"first", first}, {"second", second}, {"third", third}}; }
  DoubleLayer loss() const {
    const TensorLayer x(Tensor<float>::full({2, 5}, 1));
    return sum(matmul(tanh(matmul(tanh(matmul(x, first)), second)), third));
  }
  TensorWeight first{Tensor<float>::full({5, 4}, 0.1F)};
  TensorWeight second{Tensor<float>::full({4, 3}, 0.1F)};
  TensorWeight third{Tensor<float>::full({3, 2}, 0.1F)};
};

std::ptrdiff_t indexOf(const Entries& log, const std::string& entry, int number = 1) {
  auto at = log.begin() - 1;
  for (; number > 0; --number) at = std::find(at + 1, log.end(), entry);
  REQUIRE(at != log.end());
  return at - log.begin();
}

}  // namespace

TEST_CASE("buckets begin in the order of the model from its last weight, during the backward computation") {
  const std::array logs{std::make_shared<Log>(), std::make_shared<Log>()};
  const auto communicators = localCommunicators(2);
  const auto body = [logs](const LocalCommunicator& communicator) {
    const auto log = logs[communicator.rank()];
    const ThreeLayers model;
    return replicate(RecordingCommunicator{communicator, log, {}}, model, {.bucketBytes = 4})
        .flatMap([model, log](const Replicas& replicas) {
          return observed(train(model.loss(), allReduce(replicas)), std::make_shared<Products>(log));
        })
        .map([](double) {})
        .run();
  };
  std::thread other([&] { body(communicators[1]).blockingAwait(); });
  body(communicators[0]).blockingAwait();
  other.join();
  for (const auto& log : logs) {
    const Entries entries = log->entries();
    CHECK(indexOf(entries, "allReduce of 6") < indexOf(entries, "allReduce of 12"));
    CHECK(indexOf(entries, "allReduce of 12") < indexOf(entries, "allReduce of 20"));
    CHECK(indexOf(entries, "allReduce of 6") < indexOf(entries, "backward of a product", 2));
    CHECK(indexOf(entries, "allReduce of 12") < indexOf(entries, "backward of a product", 3));
  }
}
