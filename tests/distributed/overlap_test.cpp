// Gradients of the last layers are on their way while those of the first are still computed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "support/replica_ranks.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

using Entries = std::vector<std::string>;

/// What happens on one rank, on several threads.
class Log {
 public:
  void add(std::string entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  Entries entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
  }
  /// Waits for the entry, at most ten seconds.
  void waitFor(const std::string& entry) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::ranges::count(entries(), entry) == 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  }

 private:
  mutable std::mutex mutex_;
  Entries entries_;
};

/// A communicator that records the beginning of each allReduce.
struct Recording {
  std::size_t rank() const { return inner.rank(); }
  std::size_t size() const { return inner.size(); }
  Clock::Duration timeLimit() const { return inner.timeLimit(); }
  template <class T>
  Do<void> allReduce(std::span<T> values, ReduceOp op = ReduceOp::sum,
                     std::shared_ptr<const void> owner = nullptr) const {
    const auto reduced = inner.allReduce(values, op, std::move(owner));
    return Do<void>::suspend([log = log, count = values.size(), reduced] {
      log->add("allReduce of " + std::to_string(count));
      return reduced;
    });
  }
  Do<Bytes> broadcast(Bytes bytes, std::size_t root) const { return inner.broadcast(std::move(bytes), root); }
  Do<std::vector<Bytes>> gather(Bytes bytes, std::size_t root) const {
    return inner.gather(std::move(bytes), root);
  }
  Do<std::vector<Bytes>> allGather(Bytes bytes) const { return inner.allGather(std::move(bytes)); }
  Do<void> barrier() const { return inner.barrier(); }
  Do<Recording> split(std::size_t color) const {
    return inner.split(color).map([log = log](LocalCommunicator part) {
      return Recording{std::move(part), log};
    });
  }
  Do<void> send(Bytes bytes, std::size_t to, int tag) const { return inner.send(std::move(bytes), to, tag); }
  Do<Message> receive(std::optional<std::size_t> from, int tag) const { return inner.receive(from, tag); }

  LocalCommunicator inner;
  std::shared_ptr<Log> log;
};

static_assert(Communicator<Recording>);

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
    return replicate(Recording{communicator, log}, model, {.bucketBytes = 4})
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
