// What the concept pages show of passes and numbers.
#include <tapestry/deeplearning.hpp>

#include <cstdio>
#include <stdexcept>

using namespace tapestry;

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

int main() {
  // [diamond]
  const DoubleWeight w(2);
  DoubleLayer y = w * 1.0;
  for (int i = 0; i < 20; ++i) y = y + y;  // 2^20 paths lead to w
  const auto [value, counts] = countPass(gradients(y)).blockingAwait();
  std::printf("%.0f, d/dw = %.0f, %zu forwards\n", value.loss, value.of(w), counts.forwards);
  // [/diamond]
  numbers();
}
