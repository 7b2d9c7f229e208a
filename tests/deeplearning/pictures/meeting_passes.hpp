// Defines MeetingPasses, two passes that compute one node, and derive it, at the same time.
#pragma once

#include <atomic>
#include <chrono>

#include "support/threads/within.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

namespace tapestry::test {

class MeetingPasses {
 public:
  /// The two passes of a node "meet" of the weight; needs two threads, and yields 0.
  Do<int> program(const DoubleWeight& weight) {
    const auto meet =
        unaryOperation<"meet", Keep::nothing>([this](double x) { return meetIn(forwards_, x); },
                                              [this](double delta) { return meetIn(backwards_, delta); });
    const auto pass = gradients(meet(weight));
    return tupleN(parallel(pass), parallel(pass)).map([](const auto&) { return 0; });
  }

 private:
  static double meetIn(std::atomic<int>& arrived, double value) {
    ++arrived;
    within(std::chrono::seconds(10), [&] { return arrived >= 2; });
    return value;
  }

  std::atomic<int> forwards_{0};
  std::atomic<int> backwards_{0};
};

}  // namespace tapestry::test
