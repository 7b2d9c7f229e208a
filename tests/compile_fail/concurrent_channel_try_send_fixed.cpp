// expect: trySend\(.*expected an item that can be copied, or can be assigned by a move
// expect-lines: 12
#include <memory>

#include "tapestry/concurrent/channel.hpp"

struct Fixed {
  const int id;
  std::unique_ptr<int> value;
};

bool send(const tapestry::Channel<Fixed>& channel, Fixed item) { return channel.trySend(std::move(item)); }
