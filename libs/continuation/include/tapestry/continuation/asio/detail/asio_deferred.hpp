// Defines DeferredEnd, with which a run with the token `deferred` can be awaited in Boost 1.81.
#pragma once

#include <boost/version.hpp>
#include <exception>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/monad/unit.hpp"

#pragma GCC visibility push(default)
namespace boost::asio {

class deferred_t;  // <boost/asio/deferred.hpp> and <boost/asio/awaitable.hpp> are large

namespace detail {

template <class Signature, class Executor>
class awaitable_async_op_handler;

}  // namespace detail
}  // namespace boost::asio

namespace tapestry::detail {

/// The return type in the signatures of a deferred run's handlers; it only distinguishes these signatures.
struct DeferredEnd {};

template <class Token>
inline constexpr bool isDeferred = std::is_same_v<Token, boost::asio::deferred_t>;

template <class A>
struct RunSignatureOf {
  using Type = void(std::exception_ptr, A);
};
template <>
struct RunSignatureOf<void> {
  using Type = void(std::exception_ptr);
};
template <class A>
using RunSignature = typename RunSignatureOf<A>::Type;

/// Boost 1.81 can call the signature for a value but not await it: its function that takes the result in
/// co_await does not compile for an exception_ptr with a value, only for an exception_ptr alone.
template <class A>
using DeferredSignature = std::conditional_t<BOOST_VERSION <= 108100 && !std::is_void_v<A>,
                                             DeferredEnd(std::exception_ptr, Stored<A>), RunSignature<A>>;

}  // namespace tapestry::detail

#if BOOST_VERSION <= 108100
/// As the handler of other signatures, but with a function `resume` that compiles.
template <class A, class Executor>
class boost::asio::detail::awaitable_async_op_handler<tapestry::detail::DeferredEnd(std::exception_ptr, A),
                                                      Executor>
    : public awaitable_async_op_handler<void(std::exception_ptr, A), Executor> {
  using Base = awaitable_async_op_handler<void(std::exception_ptr, A), Executor>;

 public:
  using Base::Base;

  static A resume(typename Base::result_type& result) {
    if (*result.ex_) std::rethrow_exception(std::exchange(*result.ex_, nullptr));
    return std::move(*result.value_);
  }
};
#endif
#pragma GCC visibility pop
