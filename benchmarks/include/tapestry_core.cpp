// The core of the continuation library, used a little: what include_core_asio and its like compile.
#include <cstdio>

#include "tapestry/continuation.hpp"

int main() {
  const auto answer =
      tapestry::tuple2(tapestry::now(20), tapestry::delay([] { return 1; }))
          .map([](std::tuple<int, int> parts) { return std::get<0>(parts) + std::get<1>(parts); })
          .flatMap([](int half) -> tapestry::UnitContinuation<int> { return tapestry::now(2 * half); });
  std::printf("%d\n", answer.blockingAwait());
}
