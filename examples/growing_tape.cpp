// Grows reverse-mode differentiation to Do, in six steps of which each can do what the last one cannot; with
// the names of the Listings of section 5 of the paper "Monadic Deep Learning".
#include <algorithm>
#include <cstdio>
#include <tapestry/raii.hpp>

#include "support/options.hpp"

using namespace tapestry;
namespace {

std::vector<std::string> events;  // on the only thread
const auto tell = [](const std::string& event) { return delay([=] { events.push_back(event); }); };
double gradient = 0;  // what has arrived at w

template <class Node>
Node diamondDependentComputationalGraph(const Node& x, const Node& w) {
  const Node y0 = multiply("y0", x, w), y1 = multiply("y1", y0, y0);
  return multiply("y2", y1, y1);
}

// 0. Dual numbers: the derivative with respect to one variable comes along with the value.
struct DualNumber {
  double data, delta;
};
DualNumber multiply(const char*, DualNumber a, DualNumber b) {
  return {a.data * b.data, a.data * b.delta + b.data * a.delta};
}

// 1. A synchronous tape: a way back to all variables instead. It leads to y0 four times, once for each use.
using SideEffects = UnitContinuation<void>;
using UpdateWeights = std::function<SideEffects(double)>;
UpdateWeights plus(UpdateWeights f0, UpdateWeights f1) {
  return [=](double x) { return tuple2(parallel(f0(x)), parallel(f1(x))).map([](const auto&) {}); };
}
UpdateWeights multiply(double x0, UpdateWeights f) {
  return [=](double x1) { return f(x0 * x1); };
}
struct Tape {  // Listing "ClosureBasedDualNumber", too
  double data;
  UpdateWeights backward;
};
Tape createLiteral(double data) {
  return {data, [](double) { return tell("backward x, a no-op"); }};
}
Tape createTrainableVariable(double data) {
  return {data, [](double delta) { return delay([=] { gradient += delta; }); }};
}
Tape multiply(std::string name, Tape a, Tape b) {
  events.push_back("acquire " + name);
  const auto back = plus(multiply(b.data, a.backward), multiply(a.data, b.backward));
  const auto told = [=](double delta) {
    return tell("backward " + name).flatMap([=] { return back(delta); });
  };
  return {a.data * b.data, told};
}
Tape computationalTree(Tape x, Tape w0, Tape w1) { return multiply("y1", multiply("y0", x, w0), w1); }

// 2. An asynchronous tape comes of a program, which may wait. But now y0 is computed four times, too.
using Tapes = std::tuple<Tape, Tape>;
using Asynchronous = UnitContinuation<Tape>;
Asynchronous multiply(std::string name, Asynchronous a, Asynchronous b) {
  const auto times = [=](const Tapes& ab) { return multiply(name, std::get<0>(ab), std::get<1>(ab)); };
  return tuple2(parallel(a), parallel(b)).map(times);
}

// 3. Reference counts: the first user opens, and the last one closes, which sends the sum of all deltas back.
// But if one forgets to release, nothing goes back.
template <class A>
using Opened = Resource<UnitContinuationMonad, A>;  // an A, and the program that releases it
using Counted = UnitContinuation<Opened<Tape>>;
Counted accumulating(Tape tape, std::string last) {
  const auto sum = std::make_shared<std::optional<double>>();
  const auto add = [=](double delta) { return delay([=] { *sum = sum->value_or(0) + delta; }); };
  const auto back = suspend([=] { return *sum ? tape.backward(**sum) : SideEffects(delay([] {})); });
  const auto close = back.flatMap([=] { return tell(last); }).map([] { return Errors(); });
  return now(Opened<Tape>{{tape.data, add}, close});
}
Counted product(std::string name, const Tapes& ab) {
  return accumulating(multiply(name, std::get<0>(ab), std::get<1>(ab)), "release " + name);
}
template <class A>
UnitContinuation<Opened<A>> shared(UnitContinuation<Opened<A>> open) {
  const auto one = std::make_shared<std::optional<Opened<A>>>();
  const auto users = std::make_shared<int>(0);
  const auto last = [=] { return --*users == 0 ? (*one)->release : std::nullopt; };
  const auto release = suspend([=] { return last().value_or(now(Errors())); });
  const UnitContinuation<int> first = open.map([=](auto opened) { return *one = opened, 1; }), later = now(1);
  const auto share = [=](int) { return Opened<A>{(*one)->value, release}; };
  return suspend([=] { return ((*users)++ == 0 ? first : later).map(share); });
}
Counted multiply(std::string name, Counted a, Counted b) {
  return shared<Tape>(tuple2(a, b).flatMap([=](const auto& ab) {
    const auto& [left, right] = ab;
    const auto operands = sequence<UnitContinuationMonad>(right.release, left.release);
    return product(name, {left.value, right.value}).map([=](const Opened<Tape>& y) {
      return Opened<Tape>{y.value, sequence<UnitContinuationMonad>(y.release, operands)};
    });
  }));
}

// 4. ResourceT: the scope releases what was acquired in it, and nobody can forget to. But nothing may throw.
using Scope = ResourceT<UnitContinuationMonad>;
using Scoped = Scope::Type<Tape>;
Scoped multiply(std::string name, Scoped a, Scoped b) {
  const auto times = [=](const Tapes& ab) { return Scoped(product(name, ab)); };
  return Scoped(shared<Tape>(Scope::flatMap(tuple2<Scope>(a, b), times).acquire()));
}

// 5. TryT: an exception is an error of the program, and all is released. But operands wait for each other.
using Failing = TryT<Scope>;
using Tried = Failing::Type<Tape>;
Tried tried(Counted layer) { return Failing::lift<Tape>(Scoped(layer)); }
Tried multiply(std::string name, Tried a, Tried b) {
  const auto times = [=](const Tapes& ab) { return tried(product(name, ab)); };
  const auto y = Failing::flatMap(tuple2<Failing>(a, b), times).unwrap();
  return Tried(Scope::Type<Try<Tape>>(shared<Try<Tape>>(y.acquire())));
}

// [do]
// 6. Do is all of this, with operands in parallel again, and `shared` for any number of threads.
Do<Tape> multiply(std::string name, Do<Tape> a, Do<Tape> b) {
  const auto times = [=](const Tapes& ab) { return Do<Tape>(tried(product(name, ab))); };
  const auto y = tuple2(parallel(a), parallel(b)).flatMap(times);
  return y.shared().map([](const Handle<Tape>& handle) { return *handle; });
}
// [/do]

void report(const char* step, double y, double derivative) {
  const auto count = [](const char* event) { return static_cast<int>(std::ranges::count(events, event)); };
  std::printf("%-24s y = %4g, d/dw = %4g; y0: %d acquired, %d backward, %d released\n", step, y, derivative,
              count("acquire y0"), count("backward y0"), count("release y0"));
}

void grow() {
  const auto y2 = [](const auto& x, const auto& w) { return diamondDependentComputationalGraph(x, w); };
  const auto derive = [](const Tape& y) { return y.backward(1).map([=] { return y.data; }); };
  const auto run = [](const char* step, const auto& program) {
    events.clear();
    const double value = program.blockingAwait();
    report(step, value, std::exchange(gradient, 0));
  };
  const DualNumber dual = y2(DualNumber{3, 0}, DualNumber{2, 1});
  report("0 dual numbers", dual.data, dual.delta);

  const Tape x = createLiteral(3), w = createTrainableVariable(2);
  run("1 synchronous, a tree", suspend([=] { return derive(computationalTree(x, w, w)); }));
  run("1 synchronous tapes", suspend([=] { return derive(y2(x, w)); }));
  run("2 asynchronous tapes", y2(Asynchronous(now(x)), Asynchronous(now(w))).flatMap(derive));

  const Counted openX = now(Opened<Tape>{x, {}});
  const auto openW = [=] {
    return shared<Tape>(tell("acquire w").flatMap([=] { return accumulating(w, "step w"); }));
  };
  run("3 reference counts", y2(openX, openW()).flatMap([=](const Opened<Tape>& y) {
    return derive(y.value).flatMap([=](double value) { return y.release->map([=](auto) { return value; }); });
  }));
  run("  one not released", y2(openX, openW()).flatMap([=](const auto& y) { return derive(y.value); }));

  const auto lifted = [=](const Tape& y) { return Scope::lift<double>(derive(y)); };
  run("4 ResourceT", Scope::run(Scope::flatMap(y2(Scoped(openX), Scoped(openW())), lifted)));

  const auto thrown = [](const Tape& loss) -> double { throw loss.data; };
  const auto failing = Failing::map(y2(tried(openX), tried(openW())), thrown).unwrap();
  run("5 TryT, and a throw", Scope::run(failing).map([](Try<double> y) { return y.hasValue(); }));

  const auto all = y2(Do<Tape>(tried(openX)), Do<Tape>(tried(openW())));
  run("6 Do", all.flatMap([=](const Tape& y) { return Do<double>::lift(derive(y)); }));
  for (const std::string& event : events) std::printf("  %s\n", event.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  examples::Options options("growing_tape", "Grows reverse-mode differentiation from dual numbers to Do.");
  options.unused("--threads", "all happens on one").unused("--seed", "nothing is drawn");
  options.traced(examples::traceRuns);
  return options.run(argc, argv, grow);
}
