#include <tapestry/asio.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/direct/direct.hpp>

using namespace tapestry;

int main() {
  ThreadPool pool(1);
  const auto program = direct<Do>([] { return 2 * await(Do<int>::delay([] { return 21; })); });
  return program.blockingAwait(pool) == 42 ? 0 : 1;
}
