// P10: the library calls no code of a user, and no destructor, while it holds a lock. Each test hangs if it
// does.
#include <doctest/doctest.h>

#include <functional>

#include "support/programs/besides.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;
using test::Besides;
using test::Nosy;

namespace {

/// A number whose copies, moves, additions and destruction do what there is to be done besides.
struct NosyNumber : Nosy {
  explicit NosyNumber(double number = 0) : value(number) {}
  NosyNumber& operator+=(const NosyNumber& other) {
    value += other.value;
    Besides::call();
    return *this;
  }
  double value;
};

struct Descent {
  template <class V>
  struct State {};
  NosyNumber step(const NosyNumber& weight, const NosyNumber& gradient, State<NosyNumber>&) const {
    return NosyNumber(weight.value - gradient.value);
  }
};

const auto number = unaryOperation<"number", Keep::nothing>([](const NosyNumber& x) { return x.value; },
                                                            [](double delta) { return NosyNumber(delta); });

}  // namespace

TEST_CASE("copies, moves and destructors of a weight's value and delta may use the weight") {
  const Weight<NosyNumber> weight(NosyNumber(1), Descent());
  const auto loss = number(weight) + number(weight) * number(weight);
  std::function<void()> use;
  SUBCASE("by reading it") {
    use = [&] { CHECK(weight.data().value <= 100); };
  }
  SUBCASE("by evaluating it") {
    use = [&] { CHECK(predict(loss).blockingAwait() >= -100); };
  }
  const Besides besides(use);
  CHECK(train(loss).blockingAwait() == 2);
  weight.setData(NosyNumber(100));
  CHECK(weight.data().value == 100);
  CHECK(besides.calls() > 10);
}
