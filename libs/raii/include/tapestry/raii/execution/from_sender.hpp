// Defines fromSender, which makes a Do of a sender.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/extend/program.hpp"
#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/execution/standard.hpp"
#include "tapestry/raii/tryt/try.hpp"

#pragma GCC visibility push(default)
namespace tapestry::execution {

namespace detail {

template <class... Values>
using DecayedValue = tapestry::detail::OneValue<std::decay_t<Values>...>;

/// The type of the values that a sender may send, void for a sender that only fails or stops. Not defined for
/// a sender with several set_value signatures.
template <class... Values>
struct SingleValue;
template <class Value>
struct SingleValue<Value> {
  using Type = typename Value::Type;
};
template <>
struct SingleValue<> {
  using Type = void;
};

/// Void for no value, the type of a single value, else a std::tuple of the types.
template <class Sender, class Env>
using SentValue = typename standard::value_types_of_t<Sender, Env, DecayedValue, SingleValue>::Type;

/// The environment of a receiver of fromSender.
struct SenderEnv {
  stopTokens::inplace_stop_token query(stopTokens::get_stop_token_t) const noexcept { return stop; }
  stopTokens::inplace_stop_token stop;
};

/// An error of a sender as an exception_ptr; an error_code becomes a std::system_error.
template <class E>
std::exception_ptr asException(E&& error) noexcept {
  using Error = std::decay_t<E>;
  try {
    if constexpr (std::is_same_v<Error, std::exception_ptr>)
      return std::forward<E>(error);
    else if constexpr (std::is_same_v<Error, std::error_code>)
      return std::make_exception_ptr(std::system_error(error));
    else
      return std::make_exception_ptr<Error>(std::forward<E>(error));
  } catch (...) {
    return std::current_exception();
  }
}

/// The run starts the operation and parks; the receiver completes. The later of the two continues the run.
/// States are sets of bits:
///   parked     the operation has been started, and the run's thread has left it
///   completed  the receiver has been completed
/// Held by a frame of the run, and by a request to stop while it is passed to the operation.
template <class A>
class SenderWait : public extend::StopListener, public extend::Parker {
 public:
  SenderEnv env() const noexcept { return {source_.get_token()}; }

  /// For the receiver: sets the result, or none for stopped, and then calls complete() as its last action.
  template <class... Values>
  void receive(Values&&... values) noexcept {
    try {
      result_.emplace(Try<A>::success(Stored<A>(std::forward<Values>(values)...)));
    } catch (...) {
      fail(std::current_exception());
    }
  }
  void fail(std::exception_ptr error) noexcept { result_.emplace(Try<A>::failure(std::move(error))); }
  void complete() noexcept {
    if (!meet(isCompleted, isParked)) return;
    run_.resume();
  }

  /// For the frame that holds this.
  void goOn(extend::Run& run) {
    if (!result_) return run.stop(Errors());
    Try<A> result = *std::move(result_);
    result_.reset();
    run.put<Try<A>>(std::move(result));
  }

 protected:
  explicit SenderWait(extend::Run& run) noexcept : run_(run), stop_(run.stopState()) {}
  virtual void start() noexcept = 0;

 private:
  static constexpr std::uint32_t isParked = 1, isCompleted = 2;

  bool park(extend::Run&) noexcept final {
    if (!stop_.add(*this)) source_.request_stop();
    start();
    return meet(isParked, isCompleted);
  }
  void onStop() noexcept final {
    const auto kept = extend::Ref<SenderWait>::share(this);  // because the run may continue meanwhile
    source_.request_stop();
  }
  /// Returns true to the second caller.
  bool meet(std::uint32_t own, std::uint32_t other) noexcept {
    if (!(state_.fetch_or(own) & other)) return false;
    stop_.remove(*this);
    return true;
  }

  extend::Run& run_;
  extend::StopState& stop_;  ///< of the run; used only while it waits
  std::atomic<std::uint32_t> state_{0};
  stopTokens::inplace_stop_source source_;
  std::optional<Try<A>> result_;  ///< written before `completed` is set
};

template <class A>
class SenderReceiver {
 public:
  using receiver_concept = standard::receiver_t;

  explicit SenderReceiver(SenderWait<A>& wait) noexcept : wait_(&wait) {}

  template <class... Values>
  void set_value(Values&&... values) && noexcept {
    wait_->receive(std::forward<Values>(values)...);
    wait_->complete();
  }
  template <class E>
  void set_error(E&& error) && noexcept {
    wait_->fail(asException(std::forward<E>(error)));
    wait_->complete();
  }
  void set_stopped() && noexcept { wait_->complete(); }
  SenderEnv get_env() const noexcept { return wait_->env(); }

 private:
  SenderWait<A>* wait_;
};

/// The wait with the operation of a Sender.
template <class Sender, class A>
class SenderWaitFor final : public SenderWait<A> {
  using Operation = decltype(standard::connect(std::declval<Sender>(), std::declval<SenderReceiver<A>>()));

 public:
  /// Throws the exceptions of copying or connecting the sender.
  SenderWaitFor(extend::Run& run, const Sender& sender)
      : SenderWait<A>(run), operation_(standard::connect(Sender(sender), SenderReceiver<A>(*this))) {}

 private:
  void start() noexcept override { standard::start(operation_); }

  Operation operation_;
};

template <class Sender, class A>
class [[nodiscard("a program does nothing until it is run")]] SenderProgram
    : public extend::ProgramOperations<SenderProgram<Sender, A>> {
  using Wait = SenderWaitFor<Sender, A>;

 public:
  using ValueType = Try<A>;

  SenderProgram(Sender sender, extend::Location location) : sender_(std::move(sender)), location_(location) {}

  void step(extend::Run& run, extend::Keeper) const {
    if (run.stopIfRequested()) return;
    if (auto wait = connected(run)) run.park(run.push<&Wait::goOn>(std::move(wait)), {"a sender", location_});
  }

 private:
  /// Returns null, with the error in the run, if the sender cannot be connected.
  extend::Ref<Wait> connected(extend::Run& run) const {
    try {
      return extend::makeRef<Wait>(run, sender_);
    } catch (...) {
      run.put<Try<A>>(Try<A>::failure(std::current_exception()));
      return nullptr;
    }
  }

  Sender sender_;
  extend::Location location_;
};

template <class S>
concept SenderOfOneValue = std::copy_constructible<S> && requires { typename SentValue<S, SenderEnv>; } &&
                           requires(S sender, SenderReceiver<SentValue<S, SenderEnv>> receiver) {
                             standard::connect(std::move(sender), std::move(receiver));
                           };

}  // namespace detail

/// In every run connects a copy of the sender, starts it, and waits until it has completed. The sender's
/// value is the value of the Do: void for none, a std::tuple for several. A std::exception_ptr is the error
/// itself, a std::error_code becomes a std::system_error, and `catch (const E&)` catches an error of any
/// other type E. Stopped is cancelled. An exception from copying or connecting the sender is an error.
///
/// A request to stop is passed to the operation through the stop token of its receiver's environment; the run
/// waits until the operation has completed, because the operation refers to the run's memory, and sees the
/// request then. The run continues on its own executor. Cost: one allocation from a pool.
template <detail::SenderOfOneValue S>
[[nodiscard("a program does nothing until it is run")]] auto fromSender(
    S sender, extend::Location location = extend::Location::current()) {
  using A = detail::SentValue<S, detail::SenderEnv>;
  return Do<A>(tapestry::detail::stopToError<A>(detail::SenderProgram<S, A>(std::move(sender), location)));
}

void fromSender(...) = delete;  // expected a sender that can be copied, with one set_value completion

}  // namespace tapestry::execution
#pragma GCC visibility pop
