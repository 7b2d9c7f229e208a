// Defines DeferredEnd, with which a run with the token `deferred` can be awaited in Boost 1.81.
#pragma once

#include <boost/version.hpp>
#include <exception>
#include <type_traits>
#include <utility>

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

/// The signature for a value, which Boost 1.81 can call but not await: its function that takes the result in
/// co_await does not compile for an exception_ptr with a value, only for an exception_ptr alone.
template <class A>
struct DeferredSignatureOf {
#if BOOST_VERSION <= 108100
  using Type = DeferredEnd(std::exception_ptr, A);
#else
  using Type = void(std::exception_ptr, A);
#endif
};
template <>
struct DeferredSignatureOf<void> {
  using Type = void(std::exception_ptr);
};

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
