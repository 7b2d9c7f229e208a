// P10: the library calls no code of a user, and no destructor, while it holds a lock. Each test hangs if it
// does.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <streambuf>

#include "support/programs/besides.hpp"
#include "tapestry/deeplearning.hpp"
#include "tapestry/deeplearning/pictures/chrome_pass_trace.hpp"
#include "tapestry/deeplearning/pictures/pass_record.hpp"
#include "tapestry/deeplearning/pictures/profile.hpp"
#include "tapestry/deeplearning/pictures/training_log.hpp"

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

/// A rule for shapes whose attributes do what there is to be done besides.
struct NosyRule : Elementwise {
  static extend::Attributes attributes() {
    Besides::call();
    return {};
  }
};

/// A stream buffer that does so at each write.
struct NosyBuffer : std::streambuf {
  int_type overflow(int_type character) override {
    Besides::call();
    return character;
  }
  std::streamsize xsputn(const char*, std::streamsize count) override {
    Besides::call();
    return count;
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

TEST_CASE("the attributes of a user's operation may use the observer that asks for them") {
  const auto same = unaryOperation<"same", Keep::nothing, NosyRule>([](double x) { return x; },
                                                                    [](double delta) { return delta; });
  const DoubleWeight weight(1.0, sgd(0.1));
  const auto trace = std::make_shared<ChromePassTrace>();
  const auto record = std::make_shared<PassRecord>();
  const auto profiler = std::make_shared<detail::Profiler>();
  const Besides besides([&] {
    CHECK(trace->events().size() < 1000);
    CHECK(record->nodes().size() < 10);
    CHECK(profiler->profile().operations.size() < 10);
  });
  for (const std::shared_ptr<PassObserver>& observer :
       {std::shared_ptr<PassObserver>(trace), std::shared_ptr<PassObserver>(record),
        std::shared_ptr<PassObserver>(profiler)}) {
    const auto before = besides.calls();
    observed(train(same(weight)), observer).blockingAwait();
    CHECK(besides.calls() > before);
  }
}

TEST_CASE("the clock and the streams of a log of a training may use the log") {
  std::unique_ptr<TrainingLog> log;
  const Besides besides([&] { CHECK((!log || log->steps() <= 1)); });
  log = std::make_unique<TrainingLog>(TrainingLog::Options{.clock = [] {
    Besides::call();
    return 0.0;
  }});
  log->startEpoch();
  log->add({.loss = 1});
  NosyBuffer buffer;
  std::ostream out(&buffer);
  const auto before = besides.calls();
  log->writeCsv(out);
  log->writeHtml(out);
  CHECK(besides.calls() >= before + 2);
}
