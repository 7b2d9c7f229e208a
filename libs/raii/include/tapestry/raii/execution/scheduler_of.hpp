// Defines schedulerOf, which makes a scheduler of an executor.
#pragma once

#include <exception>
#include <utility>

#include "tapestry/continuation/extend/task.hpp"
#include "tapestry/continuation/monad/errors.hpp"
#include "tapestry/raii/execution/standard.hpp"

#pragma GCC visibility push(default)
namespace tapestry::execution {

namespace detail {

/// Completes its receiver in a task of the executor.
template <class Receiver>
class ScheduleOperation final : private extend::Task {
 public:
  using operation_state_concept = standard::operation_state_t;

  ScheduleOperation(Executor& executor, Receiver receiver)
      : executor_(executor), receiver_(std::move(receiver)) {}
  ScheduleOperation(const ScheduleOperation&) = delete;

  void start() & noexcept {
    if (!executor_.post(*this)) refuse();
  }

 private:
  void execute() noexcept override {
    if (stopTokens::get_stop_token(standard::get_env(receiver_)).stop_requested())
      standard::set_stopped(std::move(receiver_));
    else
      standard::set_value(std::move(receiver_));
  }
  void refuse() noexcept override {
    standard::set_error(std::move(receiver_), std::make_exception_ptr(ExecutorStopped()));
  }

  Executor& executor_;
  Receiver receiver_;
};

}  // namespace detail

/// The scheduler that schedulerOf makes. Two are equal if they have the same executor.
class ExecutorScheduler {
  struct Env {
    ExecutorScheduler query(standard::get_completion_scheduler_t<standard::set_value_t>) const noexcept {
      return ExecutorScheduler(*executor);
    }
    Executor* executor;
  };

  class [[nodiscard("a sender does nothing until it is connected and started")]] Sender {
   public:
    using sender_concept = standard::sender_t;
    using completion_signatures =
        standard::completion_signatures<standard::set_value_t(), standard::set_error_t(std::exception_ptr),
                                        standard::set_stopped_t()>;

    template <class Self, class... Env>
    static consteval completion_signatures get_completion_signatures() noexcept {
      return {};
    }

    explicit Sender(Executor& executor) noexcept : executor_(&executor) {}

    template <class Receiver>
    auto connect(Receiver receiver) const {
      return detail::ScheduleOperation<Receiver>(*executor_, std::move(receiver));
    }
    Env get_env() const noexcept { return {executor_}; }

   private:
    Executor* executor_;
  };

 public:
  using scheduler_concept = standard::scheduler_t;

  explicit ExecutorScheduler(Executor& executor) noexcept : executor_(&executor) {}

  Sender schedule() const noexcept { return Sender(*executor_); }
  bool operator==(const ExecutorScheduler&) const noexcept = default;

 private:
  Executor* executor_;
};

/// A scheduler whose senders complete on a thread of the executor, in a separate task and never within
/// `start`; with Executor::inlined(), they may complete within `start`. With an executor that was stopped
/// they complete with the error ExecutorStopped, within `start`. A receiver whose stop token was asked to
/// stop before the task executes is stopped. The executor must outlive the operations.
inline ExecutorScheduler schedulerOf(Executor& executor) noexcept { return ExecutorScheduler(executor); }

void schedulerOf(...) = delete;  // expected an Executor&

}  // namespace tapestry::execution
#pragma GCC visibility pop
