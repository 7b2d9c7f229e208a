// Defines AsioGate, by which threads post to an execution context only while it is not being destroyed.
#pragma once

#include <atomic>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <type_traits>

#include "tapestry/continuation/detail/engine/node.hpp"
#include "tapestry/continuation/detail/spin_lock.hpp"

namespace boost::asio::detail {
class scheduler;
}

namespace tapestry::detail {

/// Has an executor of a context, which must not outlive that.
class AsioGuest {
 public:
  AsioGuest() noexcept = default;
  AsioGuest(const AsioGuest&) = delete;
  AsioGuest& operator=(const AsioGuest&) = delete;
  virtual ~AsioGuest() = default;

  /// Lets go of the executor, before its context is destroyed, and when no thread uses it.
  virtual void leave() noexcept = 0;

 private:
  friend class AsioGate;
  AsioGuest* previous_ = nullptr;
  AsioGuest* next_ = nullptr;
};

/// One for each context, which it outlives. Asio does not allow to post while a context is destroyed, but a
/// request to stop, and a run that becomes ready, come when they will.
class AsioGate : public Node {
 public:
  /// Null for what is not known to be able to stop.
  explicit AsioGate(const boost::asio::detail::scheduler* scheduler) noexcept : scheduler_(scheduler) {}

  /// The context's own.
  static Ref<AsioGate> of(boost::asio::execution_context& context);

  /// Calls the function, which posts, and lets go of what belongs to the context, before the context is
  /// destroyed; false if it is too late.
  template <class F>
  bool pass(const F& function) {
    posting_.fetch_add(1);
    const bool open = !closed_.load();
    if (open) function();
    posting_.fetch_sub(1);
    return open;
  }

  /// Whether the context was stopped, or has run out of work, so that it would keep what is posted to it.
  /// For a thread that is passing.
  bool contextStopped() const noexcept;

  /// Lets the guest know when the context is destroyed, until it is removed; false if that is so now. The
  /// guest goes only after remove, which, where this is closed, waits until the guest has left.
  [[nodiscard]] bool add(AsioGuest& guest) noexcept;
  /// Calls guest.leave(), unless that was called before.
  void remove(AsioGuest& guest) noexcept;

  /// Waits for passing threads, then lets all guests leave.
  void close() noexcept;

 private:
  const boost::asio::detail::scheduler* const scheduler_;
  std::atomic<bool> closed_{false};
  std::atomic<int> posting_{0};     ///< threads that are in pass()
  std::atomic<bool> empty_{false};  ///< closed, and all guests have left
  SpinLock lock_;
  AsioGuest* guests_ = nullptr;  ///< guarded by lock_, as their links are
};

/// The gate of the executor's context, or, where the executor does not tell it, one that stays open.
template <class E>
Ref<AsioGate> gateOf(const E& executor) {
  if constexpr (boost::asio::can_query<const E&, boost::asio::execution::context_t>::value)
    return AsioGate::of(boost::asio::query(executor, boost::asio::execution::context));
  else if constexpr (requires { executor.context(); })
    return AsioGate::of(executor.context());
  else
    return makeRef<AsioGate>(nullptr);
}

}  // namespace tapestry::detail
