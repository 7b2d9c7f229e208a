// components: continuation testing
#include <tapestry/continuation.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/testing/identity.hpp>
#include <tapestry/testing/scheduler.hpp>

#include <chrono>

#if __has_include(<tapestry/asio.hpp>) || __has_include(<tapestry/raii/do.hpp>)
#error "the installed copy holds more than the components continuation and testing"
#endif

using namespace tapestry;

int main() {
  testing::Scheduler scheduler(1);
  const auto slept = scheduler.run(sleepFor(std::chrono::hours(1)).map([] { return 40; }));
  const auto identity =
      testing::IdentityMonad::map(testing::IdentityMonad::now(1), [](int x) { return x + 1; });
  return slept.get() + identity.value == 42 ? 0 : 1;
}
