// Defines AsioGate, which lets threads post to an execution context only until its destruction begins.
#pragma once

#include <atomic>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>

#include "tapestry/continuation/detail/atomics.hpp"
#include "tapestry/continuation/detail/engine/node.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

class AsioCore;

/// There is one gate for each context, which it outlives. Asio does not allow posting while a context is
/// destroyed, but requests to stop, and runs that become ready, come at any time.
class AsioGate : public Node {
 public:
  /// Returns the context's gate.
  static Ref<AsioGate> of(boost::asio::execution_context& context);

  /// Calls the function, which may post and drop objects of the context, before the context is destroyed;
  /// returns false, without a call, if it is too late.
  template <class F>
  bool pass(const F& function) {
    posting_.fetch_add(1);
    const bool open = !closed_.load();
    if (open) function();
    posting_.fetch_sub(1);
    return open;
  }

  /// Returns whether the context was stopped, or has run out of work, so that posted tasks would not be
  /// executed. Called inside pass(). False for a context whose stop cannot be detected.
  virtual bool contextStopped() const noexcept { return false; }

  /// Adds a guest, which keeps an executor of the context and is notified when the context is destroyed,
  /// until it is removed; returns false if the gate is closed. The guest may be destroyed only after remove,
  /// which, if the gate is closed, waits until all guests have left.
  [[nodiscard]] bool add(AsioCore& guest) noexcept;
  /// Calls guest.leave() unless it was called before.
  void remove(AsioCore& guest) noexcept;

  /// Waits for threads in pass(), then lets all guests leave. Further calls have no effect.
  void close() noexcept;

 private:
  std::atomic<bool> closed_{false};
  std::atomic<int> posting_{0};     ///< threads that are in pass()
  std::atomic<bool> empty_{false};  ///< closed, and all guests have left
  SpinLock lock_;
  AsioCore* guests_ = nullptr;  ///< guarded by lock_, as their links are
};

/// Returns the gate of the executor's context, or, if the executor does not tell its context, a gate that
/// stays open.
template <class E>
Ref<AsioGate> gateOf(const E& executor) {
  if constexpr (boost::asio::can_query<const E&, boost::asio::execution::context_t>::value)
    return AsioGate::of(boost::asio::query(executor, boost::asio::execution::context));
  else if constexpr (requires { executor.context(); })
    return AsioGate::of(executor.context());
  else
    return makeRef<AsioGate>();
}

}  // namespace tapestry::detail
#pragma GCC visibility pop
