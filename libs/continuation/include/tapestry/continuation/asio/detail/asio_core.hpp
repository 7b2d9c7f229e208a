// Defines AsioCore, the part of an AsioExecutor that runs hold.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_gate.hpp"
#include "tapestry/continuation/asio/detail/asio_handler_scope.hpp"
#include "tapestry/continuation/executor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

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
  ~AsioCore() override { AsioHandlerScope::forget(*this); }

  AsioGate& gate() const noexcept { return *gate_; }

  /// Called by a thread that is inside the gate.
  virtual std::unique_ptr<AsioWork> makeWork() const = 0;
  /// Drops the executor, before its context is destroyed and when no thread uses it.
  virtual void leave() noexcept { work_.reset(); }

 private:
  friend AsioGate;

  bool addRun(std::unique_ptr<AsioWork> work) noexcept;
  bool removeRun() noexcept;

  const Ref<AsioGate> gate_;
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
    if (AsioHandlerScope::isIn(*this)) return true;
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

}  // namespace tapestry::detail
#pragma GCC visibility pop
