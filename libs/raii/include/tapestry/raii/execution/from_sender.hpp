// Defines fromSender, which makes a Do of a sender.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/execution/detail/sender_wait.hpp"

namespace tapestry::execution {

namespace detail {

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
  /// Null, and the error is in the run, where it cannot be connected.
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

/// Connects a copy of the sender and starts it in every run, and waits until it has completed. The sender's
/// value is the value of the Do: void for none, a std::tuple for several; a std::exception_ptr is the error
/// as it is, a std::error_code a std::system_error, and any other error of a type E is one that `catch (const
/// E&)` catches. Stopped is cancelled. What copying or connecting the sender throws is an error.
///
/// A request to stop asks the operation, through the stop token of its receiver's environment, to stop; the
/// run waits until it has completed, for the operation refers to the run's memory, and sees the request then.
/// The run goes on on its own executor. Cost: one allocation from a pool.
template <detail::SenderOfOneValue S>
[[nodiscard("a program does nothing until it is run")]] auto fromSender(
    S sender, extend::Location location = extend::Location::current()) {
  using A = detail::SentValue<S, detail::SenderEnv>;
  using Acquired = typename Do<A>::Acquired;
  return Do<A>(UnitContinuation<Acquired>(
      tapestry::detail::stopToError<A>(detail::SenderProgram<S, A>(std::move(sender), location))));
}

void fromSender(...) = delete;  // expected a sender that can be copied, with one set_value completion

}  // namespace tapestry::execution
