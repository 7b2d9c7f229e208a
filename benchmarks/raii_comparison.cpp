// What a step of Do costs, a resource, a shared one, and an error.
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "compare/compare.hpp"
#include "tapestry/continuation/monad/trace.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/validate2.hpp"

namespace tapestry::benchmarks {

namespace {

constexpr long steps = 300'000;
constexpr long sum = steps * (steps + 1) / 2;

Do<long> sumTo(long i, long sumAbove) {
  if (i == 0) return Do<long>::now(sumAbove);
  return Do<long>::now(i).flatMap([sumAbove](long j) { return sumTo(j - 1, sumAbove + j); });
}

double flatMapStep() {
  const StopSource stop;
  long result = 0;
  const double cost = nanoseconds(steps, [&] { result = sumTo(steps, 0).blockingAwait(stop.token()); });
  check(result, sum);
  return cost;
}

/// Counts what is alive, and what ever was.
struct Scope {
  explicit Scope(long& n) noexcept : made(&++n) { ++live; }
  Scope(Scope&& other) noexcept : made(std::exchange(other.made, nullptr)) {}
  Scope& operator=(Scope&&) = delete;
  ~Scope() {
    if (made) --live;
  }
  long* made;
  static inline long live = 0;
};

/// Acquires, uses and releases a value again and again.
double scopedValue() {
  long made = 0;
  long seen = 0;
  const auto use =
      scoped([&] { return Scope(made); }).map([&](const Handle<Scope>&) { seen += Scope::live; });
  const double cost = nanoseconds(steps, [&] {
    for (long i = 0; i < steps; ++i) use.blockingAwait();
  });
  check(made, steps);
  check(seen, steps);
  check(Scope::live, 0L);
  return cost;
}

/// Opens and closes an instance again and again; the handle, which cannot be used then, identifies the
/// instance.
double sharedValue() {
  const auto use = Do<long>::now(7).shared();
  long seen = 0;
  use.map([&](const Handle<long>& value) { seen = *value; }).blockingAwait();
  check(seen, 7L);
  std::optional<Handle<long>> last;
  const double cost = nanoseconds(steps, [&] {
    for (long i = 0; i < steps; ++i) last.emplace(use.blockingAwait());
  });
  try {
    static_cast<void>(**last);
  } catch (const std::logic_error&) {
    return cost;
  }
  throw std::runtime_error("the last instance was not released");
}

struct Missing final : std::runtime_error {
  explicit Missing(long at) : std::runtime_error("missing"), index(at) {}
  long index;
};

double errorAsValue() {
  long handled = 0;
  const auto program = Do<long>::raiseError(Missing(7)).handleError([](const std::exception_ptr& error) {
    const auto* missing = errorAs<Missing>(error);
    return missing ? Do<long>::now(missing->index) : Do<long>::raiseError(error);
  });
  const double cost = nanoseconds(steps, [&] {
    for (long i = 0; i < steps; ++i) handled += program.blockingAwait();
  });
  check(handled, 7 * steps);
  return cost;
}

[[gnu::noinline]] long failing(long index) { throw Missing(index); }

double throwAndCatch() {
  long handled = 0;
  const double cost = nanoseconds(steps, [&] {
    for (long i = 0; i < steps; ++i) {
      try {
        handled += failing(7);
      } catch (const Missing& missing) {
        handled += missing.index;
      }
    }
  });
  check(handled, 7 * steps);
  return cost;
}

/// The cost of an error, for programs of `depth` nested validations that all fail, 1,000,000 errors in all.
std::function<double()> errorCost(int depth) {
  return [depth] {
    const auto failing = Do<long>::raiseError(Missing(7));
    Do<long> program = failing;
    for (int i = 1; i < depth; ++i)
      program = validate2(program, failing).map([](const auto& both) { return std::get<0>(both); });
    const int times = 1'000'000 / depth;
    std::size_t errors = 0;
    const double cost = nanoseconds(1'000'000, [&] {
      for (int i = 0; i < times; ++i) {
        try {
          program.blockingAwait();
        } catch (const MultipleException& several) {
          errors += several.errors().size();
        }
      }
    });
    check(static_cast<long>(errors), 1'000'000L);
    return cost;
  };
}

/// The cost of an error that passes ten maps, each a place of its trace, less the cost of the maps.
double errorThroughTenMaps() {
  constexpr long times = 100'000;
  const auto costOf = [](const Do<long>& program, bool fails) {
    const auto next = [](long x) { return x + 1; };
    // ten places, where a loop would make one, passed ten times
    const auto five = program.map(next).map(next).map(next).map(next).map(next);
    const auto attempt = five.map(next).map(next).map(next).map(next).map(next).attempt();
    check(traceOf(attempt.blockingAwait().error()).places.size(), fails ? std::size_t{11} : 0);
    long failed = 0;
    const double cost = nanoseconds(times, [&] {
      for (long i = 0; i < times; ++i) failed += attempt.blockingAwait().hasValue() ? 0 : 1;
    });
    check(failed, fails ? times : 0);
    return cost;
  };
  return costOf(Do<long>::raiseError(Missing(7)), true) - costOf(Do<long>::now(7), false);
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "do_flatmap_malloc",
       .unit = "ns/step",
       .peer = "malloc",
       .target = 8,
       .ours = flatMapStep,
       .theirs = mallocAndFree},
      {.name = "scoped_malloc",
       .unit = "ns/scope",
       .peer = "malloc",
       .target = 15,
       .ours = scopedValue,
       .theirs = mallocAndFree},
      {.name = "shared_malloc",
       .unit = "ns/use",
       .peer = "malloc",
       .target = 10,
       .ours = sharedValue,
       .theirs = mallocAndFree},
      {.name = "do_error_throw",
       .unit = "ns/error",
       .peer = "throw and catch",
       .target = 0.1,
       .ours = errorAsValue,
       .theirs = throwAndCatch},
      {.name = "many_errors",
       .unit = "ns/error",
       .peer = "1,000 errors of one run, not 1,000,000",
       .target = 2,
       .ours = errorCost(1'000'000),
       .theirs = errorCost(1'000)},
      {.name = "error_trace",
       .unit = "ns/error",
       .peer = "budget",
       .target = 1,
       .ours = errorThroughTenMaps,
       .theirs = [] { return 2'000.0; }},
  };
}

}  // namespace tapestry::benchmarks
