// Defines Touched, a weight with a delta, and Division, which divides the steps of weights among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include "by_thread.hpp"
#include "tapestry/deeplearning/detail/node/trainable_node.hpp"

namespace tapestry::detail {

/// A weight that a delta has reached in the pass.
struct Touched {
  TrainableNode* weight;
  NodeState* state;
};

/// Indices of weights.
using WeightIndices = std::vector<std::size_t>;

/// Parts that are each worth a hand-over to another thread. One thread has sent the last deltas of all
/// weights of a part, except in the parts of weights that are left over.
class Division {
 public:
  explicit Division(const std::vector<Touched>& touched) {
    std::vector<Open> all;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const NodeState& state = *touched[i].state;
      const void* const thread = state.thread.load(std::memory_order_relaxed);  // relaxed: a hint
      auto open = std::ranges::find(all, thread, &Open::thread);
      if (open == all.end()) open = all.insert(open, {.thread = thread});
      add(*open, i, touched[i].weight->stepCost(state));
    }
    Open rest = {.thread = thisThread()};
    for (const Open& open : all)
      for (const std::size_t i : open.part) add(rest, i, touched[i].weight->stepCost(*touched[i].state));
    if (!rest.part.empty()) close(rest);
  }

  std::size_t size() const noexcept { return parts_.size(); }
  const WeightIndices& take() noexcept { return parts_.take(thisThread()); }

 private:
  struct Open {
    const void* thread;
    WeightIndices part = {};
    float cost = 0;
  };

  void add(Open& open, std::size_t weight, float cost) {
    open.part.push_back(weight);
    if ((open.cost += cost) >= worthAFork) close(open);
  }
  void close(Open& open) {
    parts_.add(std::exchange(open.part, {}), open.thread);
    open.cost = 0;
  }

  ByThread<WeightIndices> parts_;
};

}  // namespace tapestry::detail
