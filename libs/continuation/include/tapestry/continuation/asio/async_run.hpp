// Defines asyncRun, which runs a program with any completion token of Boost.Asio.
#pragma once

#include <utility>

#include "tapestry/continuation/asio/detail/asio_run.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Runs the program, a UnitContinuation or a Do, as an asynchronous operation of Asio with the signature
/// void(std::exception_ptr, A), or void(std::exception_ptr) where A is void: `co_await asyncRun(program,
/// use_awaitable)` and `asyncRun(program, use_future).get()` give the value or throw the error; a cancelled
/// run is a boost::system::system_error of operation_aborted. So does `asyncRun(program, yield)` on a fiber
/// of asio::spawn; with `yield[ec]` the code of a boost::system::system_error is in ec, beside an A(), and
/// errors without a code are thrown. The run works on the calling thread until it suspends. The handler is
/// posted to its associated executor, which has outstanding work meanwhile and whose context must outlive the
/// run. Its associated cancellation slot, whatever the type of cancellation, asks the run to stop.
///
/// The result of `deferred` accepts any other token except a yield context, for which Boost 1.81 treats a
/// null exception_ptr as an error: write `asyncRun(program, yield)`. Boost 1.81 can await the result, as an
/// rvalue, in a boost::asio::awaitable only where A is void, since its handler for the signature of an
/// exception_ptr and a value does not compile: write `co_await asyncRun(program, use_awaitable)`.
template <detail::Startable P, detail::TokenFor<P> Token>
auto asyncRun(P program, Token&& token) {
  return detail::startRun(detail::Started<P>(std::move(program)), nullptr, std::forward<Token>(token));
}
/// As above, with all of the run's work on the executor, which also takes its parallel branches.
template <detail::Startable P, detail::TokenFor<P> Token>
auto asyncRun(P program, Executor& executor, Token&& token) {
  return detail::startRun(detail::Started<P>(std::move(program)), &executor, std::forward<Token>(token));
}

template <detail::Startable P, class... Ts>
  requires(!detail::madeOfNothing<P>)
void asyncRun(const P&, Ts&&...) = delete;  // expected a program of a default-constructible value, or void

// The handler of a token, or f itself, gets (std::exception_ptr, A), or (std::exception_ptr) where A is void.
void asyncRun(...) = delete;  // expected a UnitContinuation or Do, at most an Executor&, a completion token

}  // namespace tapestry
#pragma GCC visibility pop
