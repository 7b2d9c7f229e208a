// expect: sendMade\(.*expected a function A\(\) without arguments, const, not mutable
// expect-lines: 10
#include <string>

#include "tapestry/concurrent/channel.hpp"

auto send(const tapestry::Channel<std::string>& channel) {
  return channel.sendMade([] { return 1; });
}
