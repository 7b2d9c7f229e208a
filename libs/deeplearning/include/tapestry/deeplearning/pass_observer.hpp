// Defines PassObserver, which gets the events of the nodes of a pass.
#pragma once

#include <string_view>

namespace tapestry {

/// For traces, counts and tests: passes that open within observed(program, observer) call it. Literals are
/// constants of all passes, and have no events.
class PassObserver {
 public:
  enum class Event {
    read,      ///< a weight's value has been read, once in the pass
    forward,   ///< the data of a layer has been computed
    backward,  ///< the layer's delta is complete, and is about to flow to its operands
    release,   ///< the layer is not used in this pass any more; its data are dropped
    step,      ///< a weight has taken its step
  };

  PassObserver() noexcept = default;
  PassObserver(const PassObserver&) = delete;
  PassObserver& operator=(const PassObserver&) = delete;
  virtual ~PassObserver() = default;

  /// `name` is the name of the operation, "weight", or "program" for a layer that a program makes; `node`
  /// identifies the node in the pass. Called on the threads of the pass, on several at once if it runs in
  /// parallel; must not wait for the pass.
  virtual void observe(Event event, std::string_view name, const void* node) noexcept = 0;
};

}  // namespace tapestry
