// Defines asDo, the completion token that makes a Do of any operation of Boost.Asio; link tapestry::asio too.
#pragma once

#include <boost/system/system_error.hpp>
#include <exception>
#include <utility>

#include "tapestry/continuation/asio/as_continuation.hpp"
#include "tapestry/raii/do.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// The type of asDo.
struct AsDo {
  /// asDo with the caller's location, for dumpRuns: timer.async_wait(asDo()).
  AsDo operator()(detail::Location given = detail::Location::current()) const noexcept { return {given}; }

  detail::Location location = {};
};

/// `socket.async_read_some(buffer, asDo)` is as with asContinuation, but makes a Do. An error_code as the
/// first result is not part of the value; if it is set, the Do fails with a boost::system::system_error of
/// it. An exception_ptr as the first result is the error itself, if it is set. An exception thrown when the
/// operation is started is an error too, and so is BrokenCallback. An operation that was cancelled because
/// its run was asked to stop is Cancelled, no error.
///
/// With an error the other results are lost; use asContinuation where they are needed, as for a read up to
/// the end of a file.
inline constexpr AsDo asDo;

namespace detail {

template <class... Results>
struct DoReceiver {
  using Result = typename OneValue<Results...>::Type;
  using ValueType = Try<Result>;

  static ValueType of(Results... results) {
    return ValueType::success(Stored<Result>(std::move(results)...));
  }
  static ValueType failed(const Location&) noexcept { return ValueType::failure(std::current_exception()); }
};

template <class... Results>
struct DoReceiver<boost::system::error_code, Results...> : DoReceiver<Results...> {
  using typename DoReceiver<Results...>::ValueType;

  static ValueType of(const boost::system::error_code& error, Results... results) {
    if (error) return ValueType::failure(std::make_exception_ptr(boost::system::system_error(error)));
    return DoReceiver<Results...>::of(std::move(results)...);
  }
};

template <class... Results>
struct DoReceiver<std::exception_ptr, Results...> : DoReceiver<Results...> {
  using typename DoReceiver<Results...>::ValueType;

  static ValueType of(const std::exception_ptr& error, Results... results) {
    if (error) return ValueType::failure(error);
    return DoReceiver<Results...>::of(std::move(results)...);
  }
};

}  // namespace detail
}  // namespace tapestry

template <class R, class... Results>
class boost::asio::async_result<tapestry::AsDo, R(Results...)> {
  using Receiver = tapestry::detail::DoReceiver<std::decay_t<Results>...>;
  using A = typename Receiver::Result;

 public:
  // the return type is named, not deduced: Asio needs it when it chooses among overloads
  template <class Initiation, class... Arguments>
  static tapestry::Do<A> initiate(Initiation&& initiation, tapestry::AsDo token, Arguments&&... arguments) {
    using Operation =
        tapestry::detail::AsioOperation<Receiver, std::decay_t<Initiation>, std::decay_t<Arguments>...>;
    constexpr bool copies = Operation::startsAfresh;
    static_assert(
        copies,
        "tapestry::asDo: got an argument that cannot be copied, expected a copyable argument, since every "
        "run starts the operation afresh (for co_spawn the function, not its coroutine)");
    if constexpr (copies)
      return tapestry::Do<A>(
          tapestry::detail::stopToError<A>(Operation(token.location, std::forward<Initiation>(initiation),
                                                     std::forward<Arguments>(arguments)...),
                                           tapestry::extend::At{"an operation of Asio", token.location}));
    else
      return tapestry::Do<A>::raiseError(std::exception_ptr());  // the static_assert has failed
  }
};
#pragma GCC visibility pop
