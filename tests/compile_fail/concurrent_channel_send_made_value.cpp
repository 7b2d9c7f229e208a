// expect: sendMade\(.*expected a function A\(\) without arguments, const, not mutable
// expect-lines: 10
#include "tapestry/concurrent/channel.hpp"

auto send(const tapestry::Channel<int>& channel) { return channel.sendMade(1); }
