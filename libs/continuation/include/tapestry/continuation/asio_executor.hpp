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
/// all runs exclude each other. Takes no parallel branches. Runs wait while an io_context is stopped; a run
/// whose turn has not come when its context is destroyed is stopped with ExecutorStopped, and its releases
/// run where that happens; this object may be gone by then, as may a context be whose runs have ended though
/// another thread still is in post(). Cost: one boost::asio::post for each change of executor.
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
    return gate->pass([this, &task] {
      const E executor = executor_;
      boost::asio::post(executor, detail::PostedTask(task, *this));
    });
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

 private:
  const E executor_;
  const detail::Ref<detail::AsioGate> gate_;
};

template <std::derived_from<boost::asio::execution_context> Context>
AsioExecutor(Context&) -> AsioExecutor<typename Context::executor_type>;

}  // namespace tapestry
