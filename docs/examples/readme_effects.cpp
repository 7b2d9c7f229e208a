#include <chrono>
#include <cstdio>
#include <tapestry/continuation.hpp>
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/continuation/parallel/timeout.hpp>
#include <tapestry/continuation/sleep_for.hpp>
using namespace tapestry;
using namespace std::chrono_literals;

int main() {
  ThreadPool pool;
  auto reply = sleepFor(10ms).map([] { return 20; });   // a value: nothing has begun
  auto both = tuple2(parallel(reply), parallel(reply))  // side by side, 10 ms together
                  .flatMap([](auto replies) { return now(std::get<0>(replies) + std::get<1>(replies)); });
  std::printf("%d\n", timeout(both, 1s).blockingAwait(pool).value_or(0));
  std::printf("%d\n", timeout(both, 1ms).blockingAwait(pool).value_or(0));  // both replies are cancelled
}
