// What the concept pages show of passes and numbers.
#include <tapestry/deeplearning.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>

using namespace tapestry;

// [pass-error]
template <class F>
void report(F function) {
  try {
    function();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
  }
}
// [/pass-error]

void numbers() {
  // [finite]
  const DoubleWeight w(0, sgd(0.1));
  try {
    train(log(w) * 1.0).blockingAwait();
  } catch (const std::range_error& error) {
    std::printf("%s\n", error.what());
  }
  try {
    checkFinite(train(log(w) * 1.0)).blockingAwait();
  } catch (const std::range_error& error) {
    std::printf("%s\n", error.what());
  }
  // [/finite]
}

void mistakes() {
  // [no-pass]
  const DoubleWeight w(1);
  report([&] { static_cast<void>(forward(w).blockingAwait()); });
  // [/no-pass]

  // [no-weights]
  report([] { checkLoss(train(DoubleLayer(3.0) * 2.0)).blockingAwait(); });
  // [/no-weights]
}

int main() {
  // [diamond]
  const DoubleWeight w(2);
  DoubleLayer y = w * 1.0;
  for (int i = 0; i < 20; ++i) y = y + y;  // 2^20 paths lead to w
  const auto [value, counts] = countPass(gradients(y)).blockingAwait();
  std::printf("%.0f, d/dw = %.0f, %zu forwards\n", value.loss, value.of(w), counts.forwards);
  // [/diamond]
  numbers();
  mistakes();
}
