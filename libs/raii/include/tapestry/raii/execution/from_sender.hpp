// Defines fromSender, which makes a Do of a sender.
#pragma once

#include <concepts>
#include <utility>

#include "tapestry/raii/detail/stop_to_error.hpp"
#include "tapestry/raii/do.hpp"
#include "tapestry/raii/execution/detail/sender_wait.hpp"

#pragma GCC visibility push(default)
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
