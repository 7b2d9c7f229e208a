// Defines PassObserver, which gets the events of the nodes of a pass.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)
namespace tapestry {

namespace extend {

class NodeView;

}  // namespace extend

/// For traces, counts and tests: passes that open within observed(program, observer) call it. Literals are
/// constants of all passes, and have no events.
class PassObserver {
 public:
  enum class Event {
    read,      ///< a weight's value has been read, once in the pass
    starts,    ///< the data of an operation is about to be computed, on this thread; for observeNode only
    forward,   ///< the data of a layer has been computed
    dropped,   ///< the layer's data have been dropped before its release; for observeNode only
    backward,  ///< the layer's delta is complete, and is about to flow to its operands
    sent,      ///< an operation has sent its deltas to its operands, on this thread; for observeNode only
    release,   ///< the layer is not used in this pass any more; what it still keeps is dropped
    step,      ///< a weight has taken its step
    exchange,  ///< an exchange with passes elsewhere begins, such as of "bucket 2"; for observe only
    exchanged  ///< this exchange has ended; for observe only
  };

  PassObserver() noexcept = default;
  PassObserver(const PassObserver&) = delete;
  PassObserver& operator=(const PassObserver&) = delete;
  virtual ~PassObserver() = default;

  /// `name` is the name of the operation, "weight", or "program" for a layer that a program makes; `node`
  /// identifies the node in the pass, or the pass of an exchange. Exchanges are reported on any thread.
  /// Called on the threads of the pass, on several at once if it runs in parallel; must not wait for the
  /// pass.
  virtual void observe(Event, [[maybe_unused]] std::string_view name,
                       [[maybe_unused]] const void* node) noexcept {}

  /// The same with the node (tapestry/deeplearning/extend/graph.hpp): its shape, its operands and, as
  /// long as the pass keeps it, its value. At `dropped` and `release`, only the name, the id, the kind and
  /// the pass of the node may be read, since other threads may clear its operands. Calls `observe`, unless it
  /// is overridden. The view is valid during the call.
  virtual void observeNode(Event event, const extend::NodeView& node) noexcept;

  /// The program of a layer has asked for the tape of a node.
  virtual void observeUse([[maybe_unused]] const extend::NodeView& program,
                          [[maybe_unused]] const extend::NodeView& node) noexcept {}

  /// clipByGlobalNorm has found the norm of all gradients of a pass, before it scales them.
  virtual void gradientNorm([[maybe_unused]] double norm) noexcept {}

  /// A pass opens, before all its events, and ends, after them. `pass` identifies it until then.
  virtual void passOpened([[maybe_unused]] const void* pass) noexcept {}
  virtual void passEnded([[maybe_unused]] const void* pass) noexcept {}
};

}  // namespace tapestry
#pragma GCC visibility pop
