#include <tapestry/deeplearning/observe_passes.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>

#include <doctest/doctest.h>
#include <tapestry/deeplearning.hpp>

#include "support/system/child_process.hpp"

namespace tapestry {

namespace {

struct PassTally final : PassObserver {
  void passOpened(const void*) noexcept override { ++opened; }
  void passEnded(const void*) noexcept override { ++ended; }
  std::atomic<int> opened{0};
  std::atomic<int> ended{0};
};

}  // namespace

TEST_CASE("an observer of all passes is told of the passes that have no observer of their own") {
  const DoubleWeight weight(1.0, sgd(0.1));
  const auto all = std::make_shared<PassTally>(), own = std::make_shared<PassTally>();
  observePasses(all);
  train(weight * weight).blockingAwait();
  observed(train(weight * weight), own).blockingAwait();
  observed(predict(weight), nullptr).blockingAwait();
  observePasses(nullptr);
  predict(weight).blockingAwait();
  CHECK(all->opened == 1);
  CHECK(all->ended == 1);
  CHECK(own->ended == 1);
}

TEST_CASE("TAPESTRY_TRACE=1 prints the operations of passes with their shapes") {
  ::setenv("TAPESTRY_TRACE", "1", 1);
  const auto ending = test::inChild([] {
    const TensorWeight weight(Tensor<float>::full({3, 2}, 1), sgd(0.1));
    static_cast<void>(train(mean(matmul(Tensor<float>::full({4, 3}, 1), weight))).blockingAwait());
  });
  ::unsetenv("TAPESTRY_TRACE");
  const auto has = [&](const std::string& part) { return ending.text.find(part) != std::string::npos; };
  CHECK(ending.status == 0);
  CHECK(has("pass opens\n"));
  CHECK(has("computes matmul of [4, 3] and [3, 2] to [4, 2]\n"));
  CHECK(has("derives matmul of [4, 3] and [3, 2]"));
  CHECK(has("steps weight to [3, 2]\n"));
  CHECK(has("pass ends\n"));
}

}  // namespace tapestry
