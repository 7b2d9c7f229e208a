// Defines AsioOperation, the program that starts an operation of Asio in every run and waits for it.
#pragma once

#include <boost/asio/system_executor.hpp>
#include <concepts>
#include <tuple>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_wait.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// The completion handler: move-only, called at most once. If it is destroyed uncalled, it completes the wait
/// without a value.
template <class Wait>
class AsioHandler {
 public:
  using executor_type = typename Wait::SerialExecutor;
  using cancellation_slot_type = boost::asio::cancellation_slot;

  explicit AsioHandler(Ref<Wait> wait) noexcept : wait_(std::move(wait)) {}
  AsioHandler(AsioHandler&&) noexcept = default;
  AsioHandler& operator=(AsioHandler other) noexcept {
    std::swap(wait_, other.wait_);
    return *this;
  }
  ~AsioHandler() {
    if (wait_) wait_->abandon();
  }

  const executor_type& get_executor() const noexcept { return wait_->executor(); }
  cancellation_slot_type get_cancellation_slot() const noexcept { return wait_->slot(); }

  template <class... Arguments>
  void operator()(Arguments&&... arguments) noexcept {
    const Ref<Wait> wait = std::move(wait_);
    wait->receive(std::forward<Arguments>(arguments)...);
    wait->complete();
  }

 private:
  Ref<Wait> wait_;
};

/// Returns the executor of the I/O object that an initiation belongs to, as Asio's own initiations provide
/// it.
template <class Initiation>
auto executorOf(const Initiation& initiation) noexcept {
  if constexpr (requires { initiation.get_executor(); })
    return initiation.get_executor();
  else
    return boost::asio::system_executor();
}

/// The Receiver defines the value: its type `ValueType`, `of(arguments...)`, and `failed(location)` for the
/// exception that is being handled.
template <class Receiver, class Initiation, class... Arguments>
class [[nodiscard("a program does nothing until it is run")]] AsioOperation
    : public ProgramOperations<AsioOperation<Receiver, Initiation, Arguments...>> {
  using Wait = AsioWaitFor<decltype(executorOf(std::declval<const Initiation&>())), Receiver>;

 public:
  using ValueType = typename Receiver::ValueType;

  template <class I, class... As>
  AsioOperation(Location location, I&& initiation, As&&... arguments)
      : initiation_(std::forward<I>(initiation)),
        arguments_(std::forward<As>(arguments)...),
        location_(location) {}

  /// Whether the initiation and the arguments can be copied for each run.
  static constexpr bool startsAfresh =
      (std::copy_constructible<Initiation> && ... && std::copy_constructible<Arguments>);

  void step(Run& run, Keeper) const {
    if (run.stopIfRequested()) return;
    Wait& wait =
        run.push<&Wait::resume, &Wait::unwind>(makeRef<Wait>(run, executorOf(initiation_), location_));
    run.park(wait, {"an operation of Asio", location_});
    try {
      AsioHandler<Wait> handler(Ref<Wait>::share(&wait));
      const auto initiate = [&](const Arguments&... arguments) {
        Initiation initiation(initiation_);
        std::move(initiation)(std::move(handler), Arguments(arguments)...);
      };
      std::apply(initiate, arguments_);
    } catch (...) {
      wait.fail(std::current_exception());
    }
  }

 private:
  Initiation initiation_;
  std::tuple<Arguments...> arguments_;
  Location location_;
};

}  // namespace tapestry::detail
#pragma GCC visibility pop
