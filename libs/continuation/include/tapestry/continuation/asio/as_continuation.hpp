// Defines asContinuation, the completion token that makes a program from any operation of Boost.Asio.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/system_executor.hpp>
#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_wait.hpp"
#include "tapestry/continuation/monad/monad.hpp"
#include "tapestry/continuation/unit_continuation.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The type of asContinuation.
struct AsContinuation {
  /// The same token with its place in the source, for dumpRuns and messages:
  /// timer.async_wait(asContinuation()).
  AsContinuation operator()(detail::Location given = detail::Location::current()) const noexcept {
    return {given};
  }

  detail::Location location = {};
};

/// `timer.async_wait(asContinuation)` is a program that starts the operation in every run, with copies of its
/// arguments, and waits until it has completed. Its value consists of the handler's arguments: void for none,
/// the argument itself for one, else a std::tuple; an error_code is an ordinary part of the value. I/O
/// objects and buffers must outlive the run. After the operation, the run continues on its own executor.
///
/// A request to stop the run cancels the operation (terminal, partial and total, as it supports) on the
/// executor of its I/O object, which must not be in use on other threads then, as for any use in Asio; the
/// run waits until the operation has completed, and stops as cancelled. If Asio destroys the handler without
/// calling it, for example when an io_context is destroyed, the run is stopped with BrokenCallback, and its
/// finalizers run on that thread, since its executor may no longer exist.
///
/// An operation that throws when it is started ends the process, with a message that names the place where
/// asContinuation() was called. Cost: a strand on the I/O object's executor for each operation, which
/// serializes its steps and its cancellation, unless that executor's type is a strand already.
inline constexpr AsContinuation asContinuation;

namespace detail {

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

/// Starts an operation of Asio in every run and waits for it. The Receiver defines the value: its type
/// `ValueType`, `of(arguments...)`, and `failed(location)` for the exception that is being handled.
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
    Wait* wait = nullptr;
    try {
      wait = &run.push<&Wait::resume, &Wait::unwind>(makeRef<Wait>(run, executorOf(initiation_), location_));
      run.park(*wait, {"an operation of Asio", location_});
      AsioHandler<Wait> handler(Ref<Wait>::share(wait));
      const auto initiate = [&](const Arguments&... arguments) {
        Initiation initiation(initiation_);
        std::move(initiation)(std::move(handler), Arguments(arguments)...);
      };
      std::apply(initiate, arguments_);
    } catch (...) {
      if (!wait) return run.put<Stored<ValueType>>(Receiver::failed(location_));
      wait->fail(std::current_exception());
    }
  }

 private:
  Initiation initiation_;
  std::tuple<Arguments...> arguments_;
  Location location_;
};

/// Makes the value of a UnitContinuation from the handler's arguments.
template <class... Results>
struct ContinuationReceiver {
  using ValueType = typename OneValue<Results...>::Type;

  static Stored<ValueType> of(Results... results) { return Stored<ValueType>(std::move(results)...); }
  [[noreturn]] static Stored<ValueType> failed(const Location& location) noexcept {
    functionThrew("asContinuation", location, "operation");
  }
};

}  // namespace detail
}  // namespace tapestry

template <class R, class... Results>
class boost::asio::async_result<tapestry::AsContinuation, R(Results...)> {
  using Receiver = tapestry::detail::ContinuationReceiver<std::decay_t<Results>...>;
  template <class... Ts>
  using Operation = tapestry::detail::AsioOperation<Receiver, Ts...>;

 public:
  // the type is named, not deduced, since Asio uses it in overload resolution
  template <class Initiation, class... Arguments>
  static Operation<std::decay_t<Initiation>, std::decay_t<Arguments>...> initiate(
      Initiation&& initiation, tapestry::AsContinuation token, Arguments&&... arguments) {
    using Started = Operation<std::decay_t<Initiation>, std::decay_t<Arguments>...>;
    constexpr bool copies = Started::startsAfresh;
    static_assert(
        copies,
        "tapestry::asContinuation: got an argument that cannot be copied, expected a copyable argument, "
        "since every run starts the operation afresh (for co_spawn the function, not its coroutine)");
    return Started(token.location, std::forward<Initiation>(initiation),
                   std::forward<Arguments>(arguments)...);
  }
};
#pragma GCC visibility pop
