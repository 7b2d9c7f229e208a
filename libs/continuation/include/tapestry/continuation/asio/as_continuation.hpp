// Defines asContinuation, the completion token that makes a program from any operation of Boost.Asio.
#pragma once

#include <boost/asio/async_result.hpp>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/asio/detail/asio_operation.hpp"
#include "tapestry/continuation/monad/monad.hpp"

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
