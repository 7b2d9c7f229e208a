// Defines Pass, one evaluation of networks: the states of its nodes, its errors, and the weights that it
// touched.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <unordered_map>
#include <vector>

#include "tapestry/continuation/extend/node.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/deeplearning/mode.hpp"

namespace tapestry::detail {

/// Whether a pass takes deltas.
enum class PassKind : std::uint8_t { forwardOnly, accumulating };

/// Opened by train, gradients, predict and withPass. While it is open, networks are evaluated; a node whose
/// last user has left stays pending, since another user may come. Once `closing`, no new users come: deltas
/// flow back from what is pending. `end` drops all that is left.
class Pass final : public Node {
 public:
  /// `whole` is the pass of which this is a part, if there is one.
  Pass(PassKind kind, Mode mode, std::uint64_t seed, Watch watch = {}, Ref<Pass> whole = nullptr,
       Executor* workers = nullptr) noexcept
      : kind_(kind),
        mode_(mode),
        seed_(seed),
        watched_(!watch.asksNothing()),
        watch_(std::move(watch)),
        whole_(std::move(whole)),
        workers_(workers) {}

  bool accumulates() const noexcept { return kind_ == PassKind::accumulating; }
  Mode mode() const noexcept { return mode_; }
  std::uint64_t seed() const noexcept { return seed_; }
  /// A number for what draws at random, another one each time.
  std::uint64_t nextStream() noexcept { return streams_.fetch_add(1, std::memory_order_relaxed); }

  /// Null unless it was asked for.
  const Watch* watch() const noexcept { return watched_ ? &watch_ : nullptr; }

  Pass* whole() const noexcept { return whole_.get(); }

  /// Those of the run that opened it, of which large kernels ask help; null for none.
  Executor* workers() const noexcept { return workers_; }

  bool closing() const noexcept { return closing_.load(std::memory_order_acquire); }
  bool hasEnded() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Begins to close, and gives what is pending.
  ReadyList close() noexcept;
  void addPending(NodeState& state) noexcept;

  /// Records an error of the way back, which fails the pass; null stands for Cancelled. Thread-safe.
  void fail(std::exception_ptr error) noexcept;
  bool hasFailed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// The first error, or null: then a pass that has failed was cancelled.
  std::exception_ptr error() noexcept;

  /// Takes a node's state into the pass.
  void addVisited(NodeState& state) noexcept;
  /// Of the weights among them, the first; the others follow by nextVisited.
  NodeState* weights() const noexcept { return weights_.load(std::memory_order_acquire); }

  /// The state of a node whose slot another pass has; null if there is none. Precondition: the node's lock is
  /// held.
  NodeState* findOther(GraphNode& node) noexcept;
  NodeState& addOther(GraphNode& node, std::unique_ptr<NodeState> state);

  /// Drops the states of all nodes. Afterwards they are free for other passes.
  void end() noexcept;

 private:
  void tellReleases(NodeState* state) const noexcept;
  /// Drops a node's state, and leaves its slot to other passes.
  static void give(NodeState& state) noexcept;

  const PassKind kind_;
  const Mode mode_;
  const std::uint64_t seed_;
  std::atomic<std::uint64_t> streams_{0};
  const bool watched_;
  std::atomic<bool> closing_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> failed_{false};
  std::atomic<bool> hasOthers_{false};
  std::atomic<NodeState*> visited_{nullptr};  ///< but weights, which are few
  std::atomic<NodeState*> weights_{nullptr};
  const Watch watch_;
  const Ref<Pass> whole_;
  Executor* const workers_;
  SpinLock lock_;  ///< guards what follows
  ReadyList pending_;
  std::exception_ptr error_;
  std::unordered_map<const GraphNode*, std::unique_ptr<NodeState>> others_;
};

/// The environment's slot for the pass. A pass ends with its scope, so its slot is confined.
struct PassSlot {
  static constexpr bool confined = true;
  using Type = Ref<Pass>;
  static Type initial() noexcept { return nullptr; }
};

}  // namespace tapestry::detail
