// Defines AsioExecutor, by which runs do their work on any executor of Boost.Asio.
#pragma once

#include <boost/asio/execution/executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/is_executor.hpp>
#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_core.hpp"

namespace tapestry {

namespace detail {

/// Asio's trait derives from a class that it is asked about, and an AsioExecutor is final.
template <class E>
concept ExecutorOfAsio = !std::derived_from<E, Executor> && (boost::asio::execution::is_executor<E>::value ||
                                                             boost::asio::is_executor<E>::value);

}  // namespace detail

/// Wraps the executor of an io_context or a thread_pool, any_io_executor, or a strand, on which the steps of
/// all runs exclude each other. Takes no parallel branches. In the steps of its runs blockingAwait is an
/// error, for the thread runs the context; in a handler of one's own, unknown to the library, it is not.
///
/// A run that is started here, or has shifted here, is work of the context until it has ended, or has shifted
/// elsewhere, also while it waits: `context.run()` goes on until then, as with any operation of Asio, and so
/// does `join()` of a thread_pool. This object itself is no work, and may be destroyed before its runs end.
///
/// A context that is stopped refuses work: a run that would start there or come there is stopped with
/// ExecutorStopped, and its releases run where it was. A thread_pool is stopped by stop() and by join(), an
/// io_context by stop() and when it has run out of work, until restart(). Where runs come from elsewhere
/// an io_context should be kept at work, by an executor_work_guard, and be restarted before runs start there.
///
/// Tasks posted before the context was stopped, and operations that wait in it, are not told: these
/// wait until it is restarted, or destroyed. Then a run whose turn has not come is stopped with
/// ExecutorStopped, and its releases run where that happens; so is a run that waits for something else, when
/// that comes. A context may be destroyed as soon as its runs have ended, though another thread still is in
/// post(). A context of one's own kind is never seen to stop. Cost: one boost::asio::post, and a lock of the
/// context, for each change of executor; a count of the runs, and with the first of them work of the context.
class AsioExecutor final : public Executor {
 public:
  template <detail::ExecutorOfAsio E>
  explicit AsioExecutor(E executor) : core_(detail::makeRef<detail::AsioCoreOf<E>>(std::move(executor))) {}
  /// The executor of the context.
  template <std::derived_from<boost::asio::execution_context> Context>
  explicit AsioExecutor(Context& context) : AsioExecutor(context.get_executor()) {}
  AsioExecutor(const AsioExecutor&) = delete;
  AsioExecutor& operator=(const AsioExecutor&) = delete;

  bool post(detail::Task& task) noexcept override { return core_->post(task); }
  /// False also where the executor's type, such as any_io_executor, does not tell, outside of its runs; and
  /// where the executor was entered inside a step of another one, so that what is resumed here would be done
  /// after it was left.
  bool isHere() const noexcept override { return core_->isHere(); }
  void executeHere(detail::Task& task) noexcept override { core_->executeHere(task); }
  Executor& core() noexcept override { return *core_; }

 private:
  const detail::Ref<detail::AsioCore> core_;
};

}  // namespace tapestry
