// Defines StopLink, through which a standard stop token asks a run to stop.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "tapestry/continuation/stop.hpp"
#include "tapestry/raii/execution/standard.hpp"

#pragma GCC visibility push(default)
namespace tapestry::execution::detail {

/// The stop token of a receiver's environment.
template <class Receiver>
using StopTokenOf = std::remove_cvref_t<decltype(stopTokens::get_stop_token(
    standard::get_env(std::declval<const Receiver&>())))>;

template <class Token>
class StopLink {
  using Callback = typename Token::template callback_type<tapestry::detail::RequestStop>;

 public:
  /// Returns the token for the run. A request may come before this returns.
  StopToken open(Token token) {
    const StopSource source;
    callback_.emplace(std::move(token), tapestry::detail::RequestStop{source});
    return source.token();
  }
  /// For a run that has ended: waits for a request that another thread is making.
  void close() noexcept { callback_.reset(); }

 private:
  std::optional<Callback> callback_;
};

/// For a token that never requests a stop.
template <>
class StopLink<stopTokens::never_stop_token> {
 public:
  StopToken open(stopTokens::never_stop_token) const noexcept { return {}; }
  void close() const noexcept {}
};

}  // namespace tapestry::execution::detail
#pragma GCC visibility pop
