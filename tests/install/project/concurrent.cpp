// components: continuation tryt resourcet raii concurrent
#include <tapestry/concurrent.hpp>

// What needs tapestry::asio as well is installed too, for programs that link it.
#if !__has_include(<tapestry/concurrent/asio/run_main.hpp>) || !__has_include(<tapestry/concurrent/asio/serve.hpp>)
#error "the installed copy lacks headers of tapestry/concurrent/asio"
#endif

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
