// Defines the signatures of asyncRun, and the kinds of completion tokens that need different signatures.
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/version.hpp>
#include <concepts>
#include <exception>
#include <type_traits>

#if BOOST_VERSION <= 108100
#include <boost/asio/deferred.hpp>
#endif

#pragma GCC visibility push(default)
namespace tapestry::detail {

/// R(Error, A), or R(Error) where A is void.
template <class R, class Error, class A>
struct SignatureOf {
  using Type = R(Error, A);
};
template <class R, class Error>
struct SignatureOf<R, Error, void> {
  using Type = R(Error);
};

/// What Boost.Asio documents of basic_yield_context: yield[ec] is a yield context too. The type is not named,
/// since <boost/asio/spawn.hpp> takes as long to compile as all else that asyncRun needs.
template <class Token>
concept YieldContext = requires(const Token& token, boost::system::error_code& code) {
  typename Token::executor_type;
  typename Token::cancellation_slot_type;
  { token[code] } -> std::same_as<Token>;
  token.cancelled();
};

/// Whether the token is a yield context, or an executor, an allocator or a slot was bound to one.
template <class Token>
inline constexpr bool isYield = YieldContext<Token>;
template <class Token>
  requires requires(const Token& token) {
    typename Token::target_type;
    token.get();
  }
inline constexpr bool isYield<Token> = isYield<typename Token::target_type>;

/// The return type in the signatures of deferred runs, which distinguishes their handlers.
struct DeferredEnd {};

#if BOOST_VERSION <= 108100
template <class Token>
inline constexpr bool isDeferred = std::is_same_v<Token, boost::asio::deferred_t>;
#else
template <class Token>
inline constexpr bool isDeferred = false;
#endif

/// Whether the handler is that of `co_await` of a deferred run with a value, which does not compile in Boost
/// 1.81. Its class is the template of Asio whose arguments are the signature and an executor.
template <class Handler>
inline constexpr bool awaitsDeferred = false;
template <template <class, class> class Handler, class A, class E>
inline constexpr bool awaitsDeferred<Handler<DeferredEnd(std::exception_ptr, A), E>> = true;

}  // namespace tapestry::detail
#pragma GCC visibility pop
