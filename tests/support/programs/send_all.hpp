// Defines sendAll, a program that sends numbers through a channel.
#pragma once

#include "tapestry/concurrent/channel.hpp"

namespace tapestry::test {

/// Sends the numbers from first to end, one after the other.
inline Do<void> sendAll(const Channel<int>& channel, int first, int end) {
  if (first == end) return Do<void>::now();
  return channel.send(first).flatMap([=] { return sendAll(channel, first + 1, end); });
}

}  // namespace tapestry::test
