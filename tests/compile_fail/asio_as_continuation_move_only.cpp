// expect: tapestry::asContinuation: got an argument that cannot be copied, expected a copyable argument
// expect-lines: 11
// (one more than elsewhere, since compilers show the call that Asio makes)
#include <boost/asio/async_result.hpp>
#include <memory>

#include "tapestry/continuation/asio/as_continuation.hpp"

auto operation(std::unique_ptr<int> argument) {
  return boost::asio::async_initiate<const tapestry::AsContinuation, void(int)>(
      [](auto handler, const std::unique_ptr<int>& value) { std::move(handler)(*value); },
      tapestry::asContinuation, std::move(argument));
}
