// Uses what several shared libraries and the program must see as one: types, errors, slots and thread locals.
#include <tapestry/asio.hpp>
#include <tapestry/continuation/sleep_for.hpp>
#include <tapestry/deeplearning.hpp>
#include <tapestry/raii.hpp>
#include <tapestry/raii/on.hpp>
#include <tapestry/tensor/for_each_part.hpp>
#include <tapestry/tensor/kernels/matmul.hpp>
#include <tapestry/testing.hpp>

#include <chrono>
#include <cstdio>
#include <stdexcept>

using namespace tapestry;
using namespace std::chrono_literals;

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("expected that %s\n", what);
  ++failures;
}

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Counts the calls of share.
class OwnHelpers final : public Helpers {
 public:
  void share(std::size_t count, Part part, const void* work) noexcept override {
    ++calls;
    while (count > 0) part(work, --count);
  }
  int calls = 0;
};

void errorsPassLibraries() {
  TensorWeight weight(Tensor<float>({2, 2}, {1, 2, 3, 4}), sgd(0.1));
  bool caught = false;
  try {
    train(sum(matmul(Tensor<float>({1, 3}, {1, 2, 3}), weight))).blockingAwait();
  } catch (const ShapeError&) {
    caught = true;
  }
  expect(caught, "the program catches an error of libtapestry_tensor");

  const auto failing = Do<int>::delay([]() -> int { throw OwnError("own"); });
  const auto handled = failing.handleError(
      [](const std::exception_ptr& error) { return Do<int>::now(errorAs<OwnError>(error) ? 42 : 0); });
  expect(handled.blockingAwait() == 42, "libtapestry_raii knows an error of the program");
}

void slotsAreFound() {
  testing::VirtualClock clock;
  bool woken = false;
  withClock(clock, sleepFor(1h).map([&woken] { woken = true; })).onComplete([](const auto&) {});
  clock.advance(1h);
  expect(woken, "libtapestry_continuation finds the clock that the program has set");
}

void threadLocalsAreFound() {
  OwnHelpers helpers;
  {
    const HelperScope scope(&helpers);
    const auto ones = Tensor<float>::full({512, 512}, 1);
    expect(kernels::matmul(ones, ones)(0, 0) == 512, "a product is right");
  }
  expect(helpers.calls > 0, "libtapestry_tensor finds the helpers that the program has set");

  ThreadPool pool(1);
  const auto waiting = Do<int>::delay([] { return Do<int>::now(1).blockingAwait(); });
  bool refused = false;
  try {
    on(pool, waiting).blockingAwait();
  } catch (const std::logic_error&) {
    refused = true;
  }
  expect(refused, "libtapestry_continuation knows the threads of libtapestry_asio");
}

void networkLearns() {
  ThreadPool pool(2);
  DoubleWeight slope(0, sgd(0.05)), offset(0, sgd(0.05));
  for (int i = 0; i < 500; ++i)
    for (const double x : {0.0, 1.0, 2.0}) {
      const DoubleLayer miss = slope * x + offset - (3 * x + 1);
      train(miss * miss).blockingAwait(pool);
    }
  expect(slope.data() > 2.99 && slope.data() < 3.01, "a network learns");
}

}  // namespace

int main() {
  errorsPassLibraries();
  slotsAreFound();
  threadLocalsAreFound();
  networkLearns();
  return failures;
}
