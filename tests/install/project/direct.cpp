// components: continuation direct
#include <tapestry/continuation.hpp>
#include <tapestry/continuation/direct/direct.hpp>

#include <tuple>

#if __has_include(<tapestry/asio.hpp>) || __has_include(<tapestry/raii/direct/direct.hpp>)
#error "the installed copy holds more than the components continuation and direct"
#endif

using namespace tapestry;

int main() {
  const auto program = direct<UnitContinuation>([] {
    const auto [x, y] = !std::tuple(now(20), now(2));
    return 2 * x + await(now(y));
  });
  return program.blockingAwait() == 42 ? 0 : 1;
}
