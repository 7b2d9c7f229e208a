// Defines Pass, one evaluation of networks, and the programs that open, close and commit a pass.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/extend/wait_queue.hpp"
#include "tapestry/deeplearning/clip_by_global_norm.hpp"
#include "tapestry/deeplearning/detail/node/graph_node.hpp"
#include "tapestry/deeplearning/detail/pass/watch.hpp"
#include "tapestry/deeplearning/mode.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

class Exchange;

}  // namespace tapestry::extend

namespace tapestry::detail {

/// Whether a pass accumulates deltas.
enum class PassKind : std::uint8_t { forwardOnly, accumulating };

/// What a pass is opened for. A part of another pass reads the values of weights that the whole pass has
/// read, and draws from the whole pass's seed and the number of the part. An exchange gets the gradients of
/// the pass.
struct PassOptions {
  PassKind kind = PassKind::accumulating;
  Ref<Pass> whole = nullptr;
  std::uint64_t part = 0;
  std::shared_ptr<extend::Exchange> exchange = nullptr;
};

/// Opened by train, gradients, predict and withPass. While it is open, networks are evaluated; a node whose
/// last user has left stays pending, since another user may come. Once `closing`, no new users come: deltas
/// flow back from the pending nodes. `end` drops all remaining states. As a ProgramNode it ends itself, when
/// the scope ends that it was opened for.
class Pass final : public ProgramNode {
 public:
  Pass(const PassOptions& options, Mode mode, std::uint64_t seed, Watch watch, Executor* workers) noexcept;
  ~Pass() override;

  /// Closes the pass, if it is still open, and ends it.
  void step(Run& run, Keeper::Raw keeper) const override;

  bool accumulates() const noexcept { return kind_ == PassKind::accumulating; }
  Mode mode() const noexcept { return mode_; }
  std::uint64_t seed() const noexcept { return seed_; }
  /// Returns the number of a stream of random numbers, a new one at each call.
  std::uint64_t nextStream() noexcept { return streams_.fetch_add(1, std::memory_order_relaxed); }

  /// Null if nothing is watched.
  const Watch* watch() const noexcept { return watched_ ? &watch_ : nullptr; }

  /// The pass that this pass is a part of, or null.
  Pass* whole() const noexcept { return whole_.get(); }

  /// The workers of the run that opened the pass, which large kernels ask for help; null for none.
  Executor* workers() const noexcept { return workers_; }

  /// The exchange that gets the complete gradients; null for none. It outlives the pass.
  extend::Exchange* exchange() const noexcept { return exchange_; }

  bool closing() const noexcept { return closing_.load(std::memory_order_acquire); }
  bool hasEnded() const noexcept { return ended_.load(std::memory_order_acquire); }
  /// Begins to close, and returns the pending nodes.
  ReadyList close() noexcept;
  void addPending(NodeState& state) noexcept;

  /// Records an error of the backward computation, which fails the pass; null means Cancelled. Thread-safe.
  void fail(std::exception_ptr error) noexcept;
  bool hasFailed() const noexcept { return failed_.load(std::memory_order_acquire); }
  /// Returns the first error, or null; a pass that has failed without an error was cancelled.
  std::exception_ptr error() noexcept;

  /// Adds a node's state to the pass.
  void addVisited(NodeState& state) noexcept;
  /// The first of the other nodes that were added; the others follow by nextVisited.
  NodeState* visited() const noexcept { return visited_.load(std::memory_order_acquire); }
  /// The first of the weights that were added; the others follow by nextVisited.
  NodeState* weights() const noexcept { return weights_.load(std::memory_order_acquire); }

  /// Returns the state of a node whose slot another pass has; null if there is none. Precondition: the node's
  /// lock is held.
  NodeState* findOther(GraphNode& node) noexcept;
  NodeState& addOther(GraphNode& node, std::unique_ptr<NodeState> state);

  /// Drops the states of all nodes. Afterwards the nodes are free for other passes.
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
  std::atomic<bool> hasOthers_{false};        ///< whether others_ is set
  std::atomic<NodeState*> visited_{nullptr};  ///< all but the weights, which are few
  std::atomic<NodeState*> weights_{nullptr};
  const Watch watch_;
  const Ref<Pass> whole_;
  Executor* const workers_;
  extend::Exchange* const exchange_;
  SpinLock lock_;  ///< guards the members below
  ReadyList pending_;
  std::exception_ptr error_;
  struct Others;  ///< the states of nodes whose slots other passes have
  std::unique_ptr<Others> others_;
};

/// The environment's slot for the pass. A pass ends with its scope, so its slot is confined.
struct PassSlot {
  static constexpr bool confined = true;
  using Type = Ref<Pass>;
  static Type initial() noexcept { return nullptr; }
};

/// Opens a pass, in the mode and with the seed that the environment sets, as a resource: at the end of its
/// scope it is closed, if it is still open, and ended.
Do<Ref<Pass>> openPass(PassOptions options);

/// Adds the weights' deltas of the part, which is closed, to their deltas of the whole pass.
Do<void> handOver(Pass& part, Pass& whole);

// The pass must live until the programs below have run, as it does in the scope of the program that opened
// it.

/// Lets the deltas flow back from all pending nodes; fails with the first error of the backward computation.
Do<void> closePass(Pass& pass);

/// Takes one step for each touched weight, on gradients that are multiplied by `share`, then clipped together
/// if a limit is given: all steps are prepared, then all are committed. Fails with the first error of a
/// preparation; then nothing has changed. A pass with an exchange takes its steps if all passes of the
/// exchange agree.
Do<void> commitPass(Pass& pass, std::optional<ClipByGlobalNorm> clip = std::nullopt, double share = 1);

/// Throws std::invalid_argument if the pass checks its loss, and no weight has a delta. Precondition: the
/// pass is closed.
void requireTrained(const Pass& pass);

/// Yields the pass of the run. Fails with NoPass if there is none.
Do<Ref<Pass>> currentPass();

}  // namespace tapestry::detail
#pragma GCC visibility pop
