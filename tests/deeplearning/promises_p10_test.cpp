// P10: the library calls no code of a user, and no destructor, while it holds a lock. Each test hangs if it
// does.
#include <doctest/doctest.h>

#include <functional>

#include "tapestry/deeplearning.hpp"

namespace {

/// What copies, moves, additions and destructions do besides. It must not call itself.
std::function<void()> besides = [] {};
int calls = 0;

void callBesides() {
  static bool calling = false;
  if (calling) return;
  calling = true;
  ++calls;
  besides();
  calling = false;
}

/// A number whose every operation runs `besides`.
struct Nosy {
  explicit Nosy(double number = 0) : value(number) {}
  Nosy(const Nosy& other) : value(other.value) { callBesides(); }
  Nosy(Nosy&& other) noexcept : value(other.value) { callBesides(); }
  Nosy& operator=(const Nosy& other) {
    value = other.value;
    callBesides();
    return *this;
  }
  Nosy& operator=(Nosy&& other) noexcept {
    value = other.value;
    callBesides();
    return *this;
  }
  ~Nosy() { callBesides(); }
  Nosy& operator+=(const Nosy& other) {
    value += other.value;
    callBesides();
    return *this;
  }
  double value;
};

struct Descent {
  template <class V>
  struct State {};
  Nosy step(const Nosy& weight, const Nosy& gradient, State<Nosy>&) const {
    return Nosy(weight.value - gradient.value);
  }
};

const auto number = tapestry::unaryOperation<"number", tapestry::Keep::nothing>(
    [](const Nosy& x) { return x.value; }, [](double delta) { return Nosy(delta); });

}  // namespace

using namespace tapestry;

TEST_CASE("what a weight's value and delta do when they are copied, moved and dropped may use the weight") {
  const Weight<Nosy> weight(Nosy(1), Descent());
  const auto loss = number(weight) + number(weight) * number(weight);
  SUBCASE("by reading it") {
    besides = [&] { CHECK(weight.data().value <= 100); };
  }
  SUBCASE("by evaluating it") {
    besides = [&] { CHECK(predict(loss).blockingAwait() >= -100); };
  }
  calls = 0;
  CHECK(train(loss).blockingAwait() == 2);
  weight.setData(Nosy(100));
  CHECK(weight.data().value == 100);
  besides = [] {};
  CHECK(calls > 10);
}
