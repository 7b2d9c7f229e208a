// components: continuation
#include <tapestry/continuation/coroutine/coroutine.hpp>

#if __has_include(<tapestry/continuation/direct/direct.hpp>)
#error "the installed copy holds more than the component continuation"
#endif

using tapestry::Coroutine;
using tapestry::UnitContinuation;

int main() {
  const auto program = tapestry::direct<UnitContinuation>(
      []() -> Coroutine<int> { co_return 40 + co_await tapestry::now(2); });
  return program.blockingAwait() == 42 ? 0 : 1;
}
