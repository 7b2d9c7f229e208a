// The mistakes of docs/concepts/pitfalls.md that only a run finds, each with its message.
#include <tapestry/continuation/asio/thread_pool.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/direct/direct.hpp>

#include <cstdio>
#include <exception>

using namespace tapestry;

// [report]
template <class F>
void report(F function) {
  try {
    function();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}
// [/report]

void passes() {
  // [no-pass]
  const DoubleWeight w(1);
  report([&] { static_cast<void>(forward(w).blockingAwait()); });
  // [/no-pass]

  // [no-weights]
  report([] { checkLoss(train(DoubleLayer(3.0) * 2.0)).blockingAwait(); });
  // [/no-weights]
}

void runs() {
  // [own-worker]
  ThreadPool pool(1);
  const auto inner = now(1);
  report([&] { Do<int>::execute(pool, [=] { return inner.blockingAwait(); }).blockingAwait(); });
  // [/own-worker]

  // [lost-callback]
  report([] { Do<int>::async([](const Callback<Try<int>>&) {}).blockingAwait(); });
  // [/lost-callback]

  // [outside]
  report([] { static_cast<void>(!now(1)); });
  // [/outside]
}

int main() {
  passes();
  runs();
}
