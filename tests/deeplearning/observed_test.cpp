#include <tapestry/deeplearning/observed.hpp>

#include <doctest/doctest.h>

#include <mutex>
#include <string>
#include <string_view>

#include "support/networks/late_layer.hpp"
#include "tapestry/continuation/asio/thread_pool.hpp"
#include "tapestry/deeplearning.hpp"

using namespace tapestry;

namespace {

std::string_view nameOf(PassObserver::Event event) {
  using Event = PassObserver::Event;
  switch (event) {
    case Event::read:
      return "read";
    case Event::forward:
      return "forward";
    case Event::backward:
      return "backward";
    case Event::release:
      return "release";
    case Event::step:
      return "step";
    default:
      return "other";
  }
}

/// "forward multiply, backward multiply, ...", in the order in which they came. Thread-safe.
class PassText final : public PassObserver {
 public:
  void observe(Event event, std::string_view name, const void*) noexcept override {
    const std::scoped_lock guard(mutex_);
    if (!text_.empty()) text_ += ", ";
    text_.append(nameOf(event)).append(" ").append(name);
  }
  std::string text() const {
    const std::scoped_lock guard(mutex_);
    return text_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

template <class A>
std::string traceOf(const Do<A>& program) {
  const auto trace = std::make_shared<PassText>();
  static_cast<void>(observed(program, trace).blockingAwait());
  return trace->text();
}

}  // namespace

TEST_CASE("train reports forwards, backwards and releases in reverse, then the steps") {
  const DoubleWeight weight(3, sgd(1));
  CHECK(traceOf(train(exp(weight * 2.0))) ==
        "read weight, forward multiply, forward exp, backward exp, release exp, backward multiply, "
        "release multiply, step weight");
}

TEST_CASE("gradients reports the same events, and no step") {
  const DoubleWeight weight(3, sgd(1));
  CHECK(traceOf(gradients(weight * 2.0)) ==
        "read weight, forward multiply, backward multiply, release multiply");
}

TEST_CASE("predict reports the release of an intermediate as soon as no consumer can request it") {
  const DoubleWeight weight(3);
  const auto loss = exp(sin(weight * 2.0));
  CHECK(
      traceOf(predict(loss)) ==
      "read weight, forward multiply, forward sin, release multiply, forward exp, release sin, release exp");
}

TEST_CASE("a layer with another handle is released at the end of predict") {
  const DoubleWeight weight(3);
  const auto held = weight * 2.0;
  const auto loss = exp(sin(held));
  CHECK(
      traceOf(predict(loss)) ==
      "read weight, forward multiply, forward sin, forward exp, release sin, release multiply, release exp");
}

TEST_CASE("a layer that a program makes is reported as a program, which is released after its operands") {
  const DoubleWeight weight(3, sgd(1));
  CHECK(traceOf(train(test::lateLayer(weight * 2.0))) ==
        "read weight, forward multiply, forward program, backward program, backward multiply, "
        "release multiply, release program, step weight");
}

TEST_CASE("nodes of all kinds have names") {
  const DoubleTensorWeight weight(Tensor<double>({2, 2}, {1, 2, 3, 4}), sgd(1));
  CHECK(traceOf(predict(matmul(weight, weight))) == "read weight, forward matmul, release matmul");
  CHECK(traceOf(predict(concat(std::vector{weight, weight}, 0))) ==
        "read weight, forward concat, release concat");
  CHECK(traceOf(predict(mean(std::vector{weight, weight}))) == "read weight, forward mean, release mean");
  CHECK(nodeOf(2.0)->name() == "literal");
}

TEST_CASE("the observer is notified of a backward that fails, and of no event after it") {
  const DoubleWeight weight(3, sgd(1));
  const auto failing = unaryOperation<"failing", Keep::nothing>(
      [](double x) { return x; }, [](double) -> double { throw std::runtime_error("derivative"); });
  const auto program = train(failing(weight * 2.0)).attempt();
  CHECK(traceOf(program) ==
        "read weight, forward multiply, forward failing, backward failing, release failing, "
        "release multiply");
}

TEST_CASE("the observer is not notified of a forward that fails, and its operands are released") {
  const DoubleWeight weight(3, sgd(1));
  const auto failing = unaryOperation<"failing", Keep::nothing>(
      [](double) -> double { throw std::runtime_error("forward"); }, [](double delta) { return delta; });
  CHECK(traceOf(train(failing(weight * 2.0)).attempt()) == "read weight, forward multiply, release multiply");
  CHECK(traceOf(predict(failing(weight * 2.0)).attempt()) ==
        "read weight, forward multiply, release multiply");
}

TEST_CASE("two concurrent passes on one graph report their events separately") {
  ThreadPool pool(2);
  const DoubleWeight weight(3);
  const auto loss = sin(weight * 2.0);
  const auto program = [&](const std::shared_ptr<PassText>& trace) {
    return observed(gradients(loss), trace);
  };
  for (int round = 0; round < 20; ++round) {
    const auto a = std::make_shared<PassText>();
    const auto b = std::make_shared<PassText>();
    tupleN(parallel(program(a)), parallel(program(b))).map([](const auto&) {}).blockingAwait(pool);
    CHECK(a->text() == b->text());
  }
}

TEST_CASE("the innermost observer is notified, and no other observer") {
  const DoubleWeight weight(3);
  const auto inner = std::make_shared<PassText>();
  CHECK(traceOf(observed(predict(weight * 2.0), inner)) == "");
  CHECK(inner->text() == "read weight, forward multiply, release multiply");
  CHECK(traceOf(observed(predict(weight * 2.0), nullptr)) == "");
}

TEST_CASE("a pass that a release of the program opens is observed") {
  const DoubleWeight weight(3);
  const UnitContinuation<Errors> release(
      predict(weight * 2.0).map([](double) {}).run().acquire().map([](const auto&) { return Errors(); }));
  const Do<int> program(now(Do<int>::Acquired{Try<int>::success(1), release}));
  CHECK(traceOf(program) == "read weight, forward multiply, release multiply");
}
