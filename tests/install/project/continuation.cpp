// components: continuation
#include <tapestry/continuation.hpp>

#if __has_include(<tapestry/testing/identity.hpp>) || __has_include(<tapestry/raii/do.hpp>)
#error "the installed copy holds more than the component continuation"
#endif

int main() {
  const auto program =
      tapestry::now(20).map([](int x) { return x + 1; }).flatMap([](int x) { return tapestry::now(2 * x); });
  return program.blockingAwait() == 42 ? 0 : 1;
}
