// Grows reverse-mode differentiation in the steps that led to the paper "Monadic Deep Learning" (section 5),
// from dual numbers to Do, on y2 = y1 * y1, y1 = y0 * y0, y0 = x * w.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/options.hpp"
#include "support/tapes.hpp"

namespace {

using namespace tapestry;
using namespace tapestry::examples::tapes;

constexpr double x = 3;
constexpr double w = 2;
double gradient = 0;
void add(double delta) { gradient += delta; }
void ignore(double) {}

/// Of operands of any of the kinds.
template <class A>
A network(const A& literalX, const A& weightW) {
  const A y0 = times("y0", literalX, weightW);
  const A y1 = times("y1", y0, y0);
  return times("y2", y1, y1);
}

/// What the step has found, and how often it has done what to y0.
void report(const char* step, double value) {
  const auto count = [](const char* event) { return static_cast<int>(std::ranges::count(events, event)); };
  std::printf("%-30s %g, d/dw = %g; y0: %d acquired, %d backward, %d released\n", step, value,
              std::exchange(gradient, 0), count("acquire y0"), count("backward y0"), count("release y0"));
  events.clear();
}

double back(const Tape& tape) {
  tape.backward(1);
  return tape.data;
}

/// The network of reference counts; `use` gets its last layer.
template <class F>
void counted(const F& use) {
  Counted literalX{[] { return x; }, ignore};
  Counted weightW{[] { return w; }, add};
  Counted y0 = times("y0", literalX, weightW), y1 = times("y1", y0, y0), y2 = times("y2", y1, y1);
  use(y2);
}

Scope::Type<double> backScoped(Counted* layer) {
  layer->backward(1);
  return Scope::now(layer->data);
}

void steps() {
  const Dual dual = network(Dual{x, 0}, Dual{w, 1});
  gradient = dual.derivative;
  report("dual numbers", dual.data);
  report("closures", back(network(Tape{x, ignore}, Tape{w, add})));

  const auto layer = [](double data, auto backward) { return [=] { return Tape{data, backward}; }; };
  report("1 synchronous tapes", back(network<Synchronous>(layer(x, ignore), layer(w, add))()));

  const auto program = [](double data, auto backward) {
    return Asynchronous(now(AsynchronousTape{
        data, [=](double delta) -> UnitContinuation<void> { return delay([=] { backward(delta); }); }}));
  };
  report("2 asynchronous tapes", network(program(x, ignore), program(w, add))
                                     .flatMap([](const AsynchronousTape& tape) {
                                       return tape.backward(1).map([data = tape.data] { return data; });
                                     })
                                     .blockingAwait());

  counted([](Counted& y2) {
    const double value = y2.acquire();
    y2.backward(1);
    y2.release();
    report("3 reference counts", value);
  });
  counted([](Counted& y2) {
    report("4 ResourceT", Scope::run(Scope::flatMap(scoped(y2), backScoped)).blockingAwait());
  });
  counted([](Counted& y2) {
    const auto failing = Failing::map(Failing::lift<Counted*>(scoped(y2)), [](Counted* loss) -> double {
      throw std::overflow_error(std::to_string(loss->data));
    });
    const auto result = Scope::run(failing.unwrap()).blockingAwait();
    report("5 TryT, and a loss that fails", result.hasValue() ? result.get() : NAN);
  });
  report("6 Do", network(literal("x", x), weight("w", w, add)).map(back).blockingAwait());
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("growing_tape", "Grows reverse-mode differentiation from dual numbers to Do.");
  return options.run(argc, argv, [] {
    steps();
    std::puts("\nwhat Do does, and so does the library:");
    network(literal("x", x), weight("w", w, add)).map(back).blockingAwait();
    for (const std::string& event : events) std::printf("  %s\n", event.c_str());
  });
}
