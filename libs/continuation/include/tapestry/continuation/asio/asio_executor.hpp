// Defines AsioExecutor, with which runs do their work on any executor of Boost.Asio.
#pragma once

#include <boost/asio/execution/executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/is_executor.hpp>
#include <boost/asio/post.hpp>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_gate.hpp"
#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

namespace detail {

/// Outstanding work of an executor of Asio.
class AsioWork : public Pooled {
 public:
  virtual ~AsioWork() = default;
};

/// Keeps an executor of Asio until its context is destroyed, and outstanding work of it while runs hold this
/// core.
class AsioCore : public Node, public Executor {
 public:
  void hold() noexcept final;
  void letGo() noexcept final;
  bool worksWhileHeld() const noexcept final { return true; }
  void executeHere(Task& task) noexcept final { AsioHandlerScope::execute(task, *this); }

 protected:
  explicit AsioCore(Ref<AsioGate> gate) noexcept : gate_(std::move(gate)) {}

  AsioGate& gate() const noexcept { return *gate_; }
  /// Whether this thread's innermost loop is in a handler of this executor.
  bool isInHandler() const noexcept { return AsioHandlerScope::isIn(*this, number_); }

  /// Called by a thread that is inside the gate.
  virtual std::unique_ptr<AsioWork> makeWork() const = 0;
  /// Drops the executor, before its context is destroyed and when no thread uses it.
  virtual void leave() noexcept { work_.reset(); }

 private:
  friend AsioGate;

  bool addRun(std::unique_ptr<AsioWork> work) noexcept;
  bool removeRun() noexcept;

  const Ref<AsioGate> gate_;
  const std::uint64_t number_ = AsioHandlerScope::nextNumber();
  AsioCore* previous_ = nullptr;  ///< in the gate, which guards the links
  AsioCore* next_ = nullptr;
  SpinLock lock_;
  std::size_t runs_ = 0;            ///< the number of holds; guarded by lock_
  std::unique_ptr<AsioWork> work_;  ///< set while held; guarded by lock_, and used only in the gate
};

template <class E>
concept TellsThread = requires(const E& executor) {
  { executor.running_in_this_thread() } -> std::convertible_to<bool>;
};

template <class E>
class AsioCoreOf final : public AsioCore {
 public:
  explicit AsioCoreOf(E executor) : AsioCore(gateOf(executor)), executor_(std::move(executor)) {
    if (!gate().add(*this)) leave();
  }
  ~AsioCoreOf() override { gate().remove(*this); }

  bool post(Task& task) noexcept override {
    // copied, since the run may end, and destroy this object, as soon as the task has been posted
    const auto gate = Ref<AsioGate>::share(&this->gate());
    bool posted = false;
    gate->pass([&] {
      if (gate->contextStopped()) return;
      const E executor = *executor_;
      boost::asio::post(executor, PostedTask(task, *this));
      posted = true;
    });
    return posted;
  }

  bool isHere() const noexcept override {
    if (isInHandler()) return true;
    bool here = false;
    // in a handler of another executor, a run resumed here would continue only after this executor was left
    if constexpr (TellsThread<E>)
      if (!threadState.ready.driving) gate().pass([&] { here = executor_->running_in_this_thread(); });
    return here;
  }

 private:
  class Work final : public AsioWork {
   public:
    explicit Work(const E& executor) : guard_(executor) {}

   private:
    boost::asio::executor_work_guard<E> guard_;
  };

  std::unique_ptr<AsioWork> makeWork() const override { return std::make_unique<Work>(*executor_); }
  void leave() noexcept override {
    AsioCore::leave();
    executor_.reset();
  }

  std::optional<E> executor_;
};

/// Asio's trait derives from the class under test, and an AsioExecutor is final.
template <class E>
concept ExecutorOfAsio = !std::derived_from<E, Executor> && (boost::asio::execution::is_executor<E>::value ||
                                                             boost::asio::is_executor<E>::value);

}  // namespace detail

/// Wraps the executor of an io_context or a thread_pool, any_io_executor, or a strand, which serializes the
/// steps of all its runs. Takes no parallel branches. In the steps of its runs blockingAwait is an error,
/// since the thread runs the context; in a user's own handler, unknown to the library, it is not.
///
/// A run that was started on this executor counts as work of the context until it has ended, also while it
/// waits and after it has shifted away. A run that has shifted to this executor counts as work, also while it
/// waits, until it has ended or shifted away. `context.run()` continues until then, as for any operation of
/// Asio, and so does `join()` of a thread_pool. This object does not count as work, and may be destroyed
/// before its runs end.
///
/// A stopped context refuses work: a run that would start on it or move to it is stopped with
/// ExecutorStopped, and its releases run where the run was. A thread_pool is stopped by stop() and by join(),
/// an io_context by stop() and when it has run out of work, until restart(). If runs move to an io_context
/// from other executors, an executor_work_guard should keep it at work, and it should be restarted before
/// runs start on it.
///
/// Tasks posted before the context was stopped, and operations that wait in it, are not notified: they wait
/// until it is restarted or destroyed. When it is destroyed, a posted run is stopped with ExecutorStopped,
/// and its releases run on that thread; a run that waits for another event is stopped in the same way when
/// the event occurs. A context may be destroyed as soon as its runs have ended, even while another thread is
/// in post(). The stop of a user-defined context is not detected. Cost: one boost::asio::post and a lock of
/// the context for each change of executor; a count of the runs, and outstanding work of the context with the
/// first run.
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
  /// Also returns false outside of its runs if the executor's type, such as any_io_executor, does not tell
  /// its thread; and if the executor was entered inside a step of another executor, so that a run resumed
  /// here would continue only after this executor was left.
  bool isHere() const noexcept override { return core_->isHere(); }
  void executeHere(detail::Task& task) noexcept override { core_->executeHere(task); }
  Executor& core() noexcept override { return *core_; }

 private:
  const detail::Ref<detail::AsioCore> core_;
};

}  // namespace tapestry
#pragma GCC visibility pop
