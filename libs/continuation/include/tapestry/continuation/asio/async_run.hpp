// Defines asyncRun, which starts a run of a program with any completion token of Boost.Asio.
#pragma once

#include <utility>

#include "tapestry/continuation/asio/detail/asio_run.hpp"
#include "tapestry/continuation/detail/misfit.hpp"

namespace tapestry {

/// Runs the program, a UnitContinuation or a Do, as an asynchronous operation of Asio with the signature
/// void(std::exception_ptr, A), or void(std::exception_ptr) where A is void: `co_await asyncRun(program,
/// use_awaitable)` and `asyncRun(program, use_future).get()` give the value or throw the error; a cancelled
/// run is a boost::system::system_error of operation_aborted. So does `asyncRun(program, yield)` on a fiber
/// of asio::spawn; with `yield[ec]` the code of a boost::system::system_error is in ec, beside an A(), and
/// other errors are thrown. The run works on the calling thread until it suspends. The handler is posted to
/// its associated executor, which is kept at work meanwhile, and whose context must outlive the run. Its
/// associated cancellation slot, whatever the type of cancellation, asks the run to stop. What `deferred`
/// gives is not for co_await or yield contexts, for which Boost 1.81 mistakes the error: write
/// `use_awaitable` or `yield` instead.
template <detail::Startable P, class Token>
auto asyncRun(P program, Token&& token) {
  constexpr bool madeOfNothing = detail::madeOfNothing<P>;
  static_assert(madeOfNothing,
                "tapestry::asyncRun: expected a program of a type that can be made of nothing, such as "
                "std::optional, for a handler gets a value also beside an error");
  constexpr bool isToken = !madeOfNothing || detail::isTokenFor<detail::Started<P>, Token>;
  static_assert(isToken,
                "tapestry::asyncRun: expected a completion token of Boost.Asio, such as use_future, or a "
                "handler f(std::exception_ptr, A), or f(std::exception_ptr) where A is void");
  if constexpr (madeOfNothing && isToken)
    return detail::startRun(detail::Started<P>(std::move(program)), nullptr, std::forward<Token>(token));
  else
    return detail::AnyProgram();  // the static_assert has said it all
}
/// As above, with all of the run's work on the executor, which also takes its parallel branches.
template <detail::Startable P, class Token>
auto asyncRun(P program, Executor& executor, Token&& token) {
  constexpr bool madeOfNothing = detail::madeOfNothing<P>;
  static_assert(madeOfNothing,
                "tapestry::asyncRun: expected a program of a type that can be made of nothing, such as "
                "std::optional, for a handler gets a value also beside an error");
  constexpr bool isToken = !madeOfNothing || detail::isTokenFor<detail::Started<P>, Token>;
  static_assert(isToken,
                "tapestry::asyncRun: expected a completion token of Boost.Asio, such as use_future, or a "
                "handler f(std::exception_ptr, A), or f(std::exception_ptr) where A is void");
  if constexpr (madeOfNothing && isToken)
    return detail::startRun(detail::Started<P>(std::move(program)), &executor, std::forward<Token>(token));
  else
    return detail::AnyProgram();
}

template <class T = void>
detail::Misfit asyncRun(detail::Misfit, detail::Misfit = {}, detail::Misfit = {}) {
  static_assert(detail::fits<T>,
                "tapestry::asyncRun: expected a UnitContinuation or a Do, and a completion token of "
                "Boost.Asio, between them at most an Executor, which must outlive the run");
  return {};
}

}  // namespace tapestry
