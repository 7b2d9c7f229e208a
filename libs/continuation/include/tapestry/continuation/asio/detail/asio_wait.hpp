// Defines AsioWait, which synchronizes a run, the operation of Asio that it waits for, and a request to stop.
#pragma once

#include <atomic>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_gate.hpp"
#include "tapestry/continuation/detail/engine/program.hpp"
#include "tapestry/continuation/monad/detail/value_box.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The run starts the operation and parks; the operation's handler completes; a request to stop emits the
/// signal, once the run has started the operation, and never while it completes. The last of these resumes
/// the run. States are sets of bits:
///   parked     the operation has been started, and the run's thread has left it
///   completed  the handler was called or destroyed
///   cancelled  a request to stop came before the completion
///   emitting   a thread is emitting the signal
/// Held by a frame of the run, by the operation's handler, and by a posted call of emit().
class AsioWait : public StopListener, public Parker {
 public:
  /// The operation's slot; unconnected if the run cannot be asked to stop.
  boost::asio::cancellation_slot slot() noexcept;

  /// Called once by the handler, after it has stored its results.
  void complete() noexcept;
  /// Called by a handler that is destroyed uncalled: the run continues on this thread, since its executor,
  /// and the executor's context, may no longer exist.
  void abandon() noexcept {
    abandoned_ = true;
    complete();
  }

  /// Cancels the operation. Called on the operation's executor, by the task of `postEmit`.
  void emit() noexcept;

 protected:
  explicit AsioWait(Run& run) noexcept : run_(&run), stop_(run.environment()->stop()) {}

  /// Arranges for a call of emit(), later, on the operation's executor.
  virtual void postEmit() noexcept = 0;
  /// Drops the operation's executor, whose context may be destroyed as soon as the run continues.
  virtual void dropExecutor() noexcept = 0;

  bool cancelled() const noexcept { return state_.load() & isCancelled; }

 private:
  static constexpr std::uint32_t isParked = 1, isCompleted = 2, isCancelled = 4, isEmitting = 8;

  bool park(Run& run) noexcept final;
  void onStop() noexcept final;
  /// Sets the bit, unless the operation is complete.
  bool setUnlessCompleted(std::uint32_t bit) noexcept;
  void goOn() noexcept;
  void leave() noexcept;

  Run* const run_;
  StopState& stop_;  ///< the run's; used only while the run waits
  std::atomic<std::uint32_t> state_{0};
  bool abandoned_ = false;  ///< written before `completed` is set
  boost::asio::cancellation_signal signal_;
};

/// The executor that serializes an operation's own steps, its completion and its cancellation.
template <class E>
using SerialExecutor = std::conditional_t<isInstance<boost::asio::strand, E>, E, boost::asio::strand<E>>;

/// The wait for an operation on the executor E, whose completion the Receiver turns into a value.
template <class E, class Receiver>
class AsioWaitFor final : public AsioWait {
 public:
  using SerialExecutor = detail::SerialExecutor<E>;

  AsioWaitFor(Run& run, const E& executor, const Location& location)
      : AsioWait(run), executor_(executor), gate_(gateOf(executor)), location_(location) {}

  /// Called by the handler before it completes.
  const SerialExecutor& executor() const noexcept { return *executor_; }
  template <class... Arguments>
  void receive(Arguments&&... arguments) noexcept {
    try {
      value_.emplace(Receiver::of(std::forward<Arguments>(arguments)...));
    } catch (...) {
      value_.emplace(Receiver::failed(location_));
    }
  }

  /// Called before the run parks, if starting the operation threw.
  void fail(std::exception_ptr error) noexcept { error_ = std::move(error); }

  /// Called by the frame that holds this object.
  void resume(Run& run) {
    const std::exception_ptr error = std::move(error_);
    auto value = std::move(value_);
    value_.reset();
    if (this->cancelled()) return run.stop(Errors());
    if (error) return rethrow(error, run);
    if (!value.has_value()) return run.stop(Errors(std::make_exception_ptr(BrokenCallback())));
    run.put<Value>(std::move(*value));
  }
  void unwind(Run&) { value_.reset(); }

 private:
  using Value = Stored<typename Receiver::ValueType>;

  void rethrow(const std::exception_ptr& error, Run& run) const {
    try {
      std::rethrow_exception(error);
    } catch (...) {
      run.put<Value>(Receiver::failed(location_));
    }
  }

  void postEmit() noexcept override {
    // if it is too late, the operation ends when its handler is destroyed
    gate_->pass(
        [this] { boost::asio::post(*executor_, [wait = Ref<AsioWait>::share(this)] { wait->emit(); }); });
  }
  void dropExecutor() noexcept override { executor_.reset(); }

  std::optional<SerialExecutor> executor_;
  const Ref<AsioGate> gate_;
  ValueBox<Value> value_;
  std::exception_ptr error_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
