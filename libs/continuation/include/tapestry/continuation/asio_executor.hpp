// Defines AsioExecutor, by which runs do their work on any executor of Boost.Asio.
#pragma once

#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <concepts>
#include <utility>

#include "tapestry/continuation/detail/asio_gate.hpp"
#include "tapestry/continuation/detail/asio_handler_scope.hpp"
#include "tapestry/continuation/executor.hpp"

namespace tapestry {

namespace detail {

template <class E>
concept TellsThread = requires(const E& executor) {
  { executor.running_in_this_thread() } -> std::convertible_to<bool>;
};

}  // namespace detail

/// Wraps the executor of an io_context or a thread_pool, any_io_executor, or a strand, on which the steps of
/// all runs exclude each other. Takes no parallel branches. In the steps of its runs blockingAwait is an
/// error, for the thread runs the context; in a handler of one's own, which nobody knows of, it is not.
///
/// A context that is stopped refuses work: a run that would start there or come there is stopped with
/// ExecutorStopped, and its releases run where it was. A thread_pool is stopped by stop() and by join(), an
/// io_context by stop() and when it has run out of work, until restart(). Where runs come from elsewhere
/// an io_context should be kept at work, by an executor_work_guard, and be restarted before runs start there.
///
/// What was posted before the context was stopped, and an operation that waits in it, nobody tells: these
/// wait until it is restarted, or destroyed. Then a run whose turn has not come is stopped with
/// ExecutorStopped, and its releases run where that happens; this object may be gone by then, as may a
/// context be whose runs have ended though another thread still is in post(). A context of one's own kind is
/// never seen to stop. Cost: one boost::asio::post, and a lock of the context, for each change of executor.
template <class E>
class AsioExecutor final : public Executor {
 public:
  explicit AsioExecutor(E executor) : executor_(std::move(executor)), gate_(detail::gateOf(executor_)) {}
  /// The executor of the context.
  template <std::derived_from<boost::asio::execution_context> Context>
  explicit AsioExecutor(Context& context) : AsioExecutor(context.get_executor()) {}
  AsioExecutor(const AsioExecutor&) = delete;
  AsioExecutor& operator=(const AsioExecutor&) = delete;

  const E& get() const noexcept { return executor_; }

  bool post(detail::Task& task) noexcept override {
    // copies, for as soon as the task has been posted its run may end, and this object be destroyed
    const detail::Ref<detail::AsioGate> gate = gate_;
    bool posted = false;
    gate->pass([&] {
      if (gate->contextStopped()) return;
      const E executor = executor_;
      boost::asio::post(executor, detail::PostedTask(task, *this));
      posted = true;
    });
    return posted;
  }

  /// False also where the executor's type, such as any_io_executor, does not tell, and where the executor was
  /// entered inside a step of another one, so that what is resumed here would be done after it was left.
  bool isHere() const noexcept override {
    bool here = false;
    if constexpr (detail::TellsThread<E>)
      if (detail::AsioHandlerScope::staysIn(*this))
        gate_->pass([&] { here = executor_.running_in_this_thread(); });
    return here;
  }
  void executeHere(detail::Task& task) noexcept override { detail::AsioHandlerScope::execute(task, *this); }

 private:
  const E executor_;
  const detail::Ref<detail::AsioGate> gate_;
};

template <std::derived_from<boost::asio::execution_context> Context>
AsioExecutor(Context&) -> AsioExecutor<typename Context::executor_type>;

}  // namespace tapestry
