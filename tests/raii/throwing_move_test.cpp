// P11: what moving a value throws is the error of the step that it is moved for, and nothing is lost by it.
#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

#include "support/programs/runs.hpp"
#include "tapestry/raii.hpp"

using namespace tapestry;
using test::Delivery;
using test::outcomeText;

namespace {

/// Its n-th move or copy throws, counted from `failAt`.
class Restive {
 public:
  explicit Restive(int number) : value(number) { ++live; }
  Restive(const Restive& other) : value((countMove(), other.value)) { ++live; }
  Restive(Restive&& other) : value((countMove(), other.value)) { ++live; }
  Restive& operator=(const Restive&) = delete;
  Restive& operator=(Restive&&) = delete;
  ~Restive() { --live; }

  int value;

  static inline int moves = 0;
  static inline int failAt = 0;
  static inline int live = 0;

 private:
  static void countMove() {
    if (++moves == failAt) throw std::runtime_error("moved");
  }
};

/// Lets the n-th move throw, for every n; `run()` returns the outcome's text.
template <class F>
int failAtEveryMove(const F& run) {
  int n = 1;
  for (;; ++n) {
    Restive::moves = 0;
    Restive::failAt = n;
    const std::string text = run();
    CHECK(Restive::live == 0);
    if (Restive::moves < n) {
      CHECK(text == "value");
      return n - 1;
    }
    CHECK(text == "moved");
  }
}

template <class A>
std::string ended(const Do<A>& program) {
  Delivery<A> delivery;
  program.onComplete(delivery.callback());
  const std::string text = outcomeText(delivery.outcome());
  return text;
}

Do<Restive> make(int value) {
  return Do<Restive>::delay([value] { return Restive(value); });
}

}  // namespace

TEST_CASE("a move that throws between steps is an error") {
  CHECK(failAtEveryMove([] {
          return ended(
              make(1)
                  .map([](Restive x) { return x; })
                  .flatMap([](const Restive& x) { return make(x.value); })
                  .handleError([](const std::exception_ptr& e) { return Do<Restive>::raiseError(e); })
                  .run());
        }) > 2);
}

TEST_CASE("a move that throws where branches are joined is an error, after their releases") {
  int open = 0;
  const auto held = resource(make(1).map([&](const Restive&) { return ++open; }), [&](int) { --open; });
  const auto with = held.flatMap([](int) { return make(2); });
  CHECK(failAtEveryMove([&] {
          const auto text = ended(tuple2(parallel(with), parallel(with)));
          CHECK(open == 0);
          return text;
        }) == 6);
  CHECK(failAtEveryMove([&] {
          const auto text = ended(parSequence(std::vector{with, with}));
          CHECK(open == 0);
          return text;
        }) == 2);
}

TEST_CASE("a resource whose value throws when it is moved is released all the same") {
  int released = 0;
  CHECK(failAtEveryMove([&] {
          released = 0;
          const auto held = resource(make(1), [&](Restive&) { ++released; });
          const auto text = ended(held.map([](const Restive& x) { return x.value; }));
          CHECK(released == 1);
          return text;
        }) == 1);  // the copy for the caller
  const auto read = [](const auto& handle) { return handle->value; };
  CHECK(failAtEveryMove([&] { return ended(scoped([] { return Restive(3); }).map(read)); }) == 0);
  CHECK(failAtEveryMove([&] { return ended(make(4).shared().map(read)); }) == 0);
}

TEST_CASE("a value that has been acquired is released, whichever of its moves and copies throws") {
  for (const bool isScoped : {false, true}) {
    int acquired = 0;
    int released = 0;
    const auto acquire = Do<Restive>::delay([&] {
      ++acquired;
      return Restive(1);
    });
    const auto release = [&](const Restive&) { ++released; };
    const auto whole = [](const auto& program) { return program.map([](const auto&) {}).run(); };
    failAtEveryMove([&] {
      const std::string text =
          isScoped ? ended(whole(scoped(acquire, release))) : ended(whole(resource(acquire, release)));
      CHECK(acquired == released);
      return text;
    });
    CHECK(acquired > 0);
  }
}
