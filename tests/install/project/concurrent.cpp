// components: continuation tryt resourcet raii concurrent
#include <tapestry/concurrent.hpp>

using namespace tapestry;

int main() {
  const Channel<int> channel(1);
  const auto program = supervised([channel](const Supervisor& supervisor) {
    return supervisor.spawn(channel.send(42), "sender").flatMap([channel](const Task<void>&) {
      return channel.receive();
    });
  });
  return program.blockingAwait() == 42 ? 0 : 1;
}
