// What is allocated: nothing by a run of a prebuilt program, and little by a run that waits.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <new>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "compare/compare.hpp"
#include "tapestry/concurrent/stream/stream.hpp"
#include "tapestry/concurrent/supervisor.hpp"
#include "tapestry/continuation.hpp"
#include "tapestry/continuation/sleep_for.hpp"
#include "tapestry/raii.hpp"
#include "tapestry/raii/par_for_each.hpp"
#include "tapestry/raii/par_traverse.hpp"
#include "tapestry/raii/repeat.hpp"

namespace {

std::atomic<long> allocations = 0;
std::atomic<long> bytesInUse = 0;  ///< including malloc's overhead

void countBytes(void* memory, long sign) noexcept {
  const std::size_t bytes = ::malloc_usable_size(memory) + sizeof(std::size_t);
  bytesInUse.fetch_add(sign * static_cast<long>(bytes), std::memory_order_relaxed);
}

}  // namespace

// Every allocation of this program is counted, but those of more than usual alignment. mallinfo2() would
// visit all free blocks of the heap, which are many once a million runs have ended.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  allocations.fetch_add(1, std::memory_order_relaxed);
  countBytes(memory, 1);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  if (memory != nullptr) countBytes(memory, -1);
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace tapestry::benchmarks {

namespace {

/// During its lifetime, this thread's pool of nodes is empty and keeps none: every node is an allocation.
class WithoutPool {
 public:
  WithoutPool() noexcept : kept_(std::exchange(cache(), detail::NodeCache())) {}
  WithoutPool(const WithoutPool&) = delete;
  WithoutPool& operator=(const WithoutPool&) = delete;
  ~WithoutPool() { cache() = kept_; }

 private:
  static detail::NodeCache& cache() noexcept { return detail::threadState.nodes; }
  detail::NodeCache kept_;
};

constexpr long runs = 1'000'000;

UnitContinuation<long> fiveMaps() {
  const auto increment = [](long x) { return x + 1; };
  return now(0L).map(increment).map(increment).map(increment).map(increment).map(increment);
}

double runFiveMaps() {
  const auto program = fiveMaps();
  long sum = program.blockingAwait();  // which fills the pool
  const long before = allocations;
  const double cost = nanoseconds(runs, [&] {
    for (long i = 0; i < runs; ++i) sum += program.blockingAwait();
  });
  if (allocations != before) throw std::runtime_error("the runs took memory from the heap");
  check(sum, 5 * (runs + 1));
  return cost;
}

std::string nodesOfFiveMaps() {
  const auto program = fiveMaps();
  const WithoutPool scope;
  const long before = allocations;
  check(program.blockingAwait(), 5L);
  const long nodes = allocations - before;
  return nodes == 0 ? ""
                    : "nodes that a run takes from the pool: got " + std::to_string(nodes) + ", expected 0";
}

double heapBytes() { return static_cast<double>(bytesInUse.load(std::memory_order_relaxed)); }

/// The bytes of heap of a run that waits for a callback, without the vector that keeps the callbacks.
double bytesOfSuspendedRun() {
  constexpr long count = 100'000;
  std::vector<Callback<long>> callbacks;
  callbacks.reserve(count);
  long sum = 0;
  const UnitContinuation<long> program = now(1L).flatMap([&callbacks](long one) {
    return async<long>([&callbacks, one](Callback<long> callback) {
      check(one, 1L);
      callbacks.push_back(std::move(callback));
    });
  });
  const WithoutPool scope;
  const double before = heapBytes();
  for (long i = 0; i < count; ++i)
    program.onComplete([&sum](Outcome<long> outcome) { sum += std::move(outcome).valueOrThrow(); });
  const double bytes = (heapBytes() - before) / static_cast<double>(count);
  for (const auto& callback : callbacks) callback(2);
  check(sum, 2 * count);
  return bytes;
}

/// The bytes of heap of a run that waits for a timer, of a million such runs, which are cancelled then.
double bytesOfSleepingRun() {
  long cancelled = 0;
  const UnitContinuation<void> program = sleepFor(std::chrono::hours(1));
  const StopSource source;
  const WithoutPool scope;
  const double before = heapBytes();
  for (long i = 0; i < runs; ++i)
    program.onComplete([&cancelled](const Outcome<void>& outcome) { cancelled += outcome.isCancelled(); },
                       source.token());
  const double bytes = (heapBytes() - before) / static_cast<double>(runs);
  source.requestStop();
  check(cancelled, runs);
  return bytes;
}

/// The most bytes of heap that `process` adds. It calls a function for each of so many elements; each
/// thousandth of the calls looks at the heap.
template <class F>
double mostBytes(long elements, const F& process) {
  const double before = heapBytes();
  double most = 0;
  long ended = 0;
  process([&] {
    if (ended++ % (elements / 1000) == 0) most = std::max(most, heapBytes() - before);
  });
  check(ended, elements);
  return most;
}

constexpr long elements = 20'000'000;

double bytesOfTraverse() {
  return mostBytes(elements, [](const auto& f) {
    parTraverse(std::views::iota(0L, elements), 8, [&f](long) { return Do<void>::delay(f); }).blockingAwait();
  });
}
double bytesOfForEach() {
  return mostBytes(elements, [](const auto& f) {
    parForEach(std::views::iota(0L, elements), 8, [&f](long i) {
      return Do<long>::delay([&f, i] {
        f();
        return i;
      });
    }).blockingAwait();
  });
}

/// The additional memory of children that one supervisor starts in turn.
double bytesOfChildren() {
  constexpr long children = 1'000'000;
  return mostBytes(children, [](const auto& f) {
    const Do<void> child = Do<void>::delay(f);
    Supervisor::scoped()
        .flatMap([&child](const Supervisor& supervisor) {
          return repeat(supervisor.spawn(child).flatMap([](const Task<void>& task) { return task.join(); }),
                        children);
        })
        .blockingAwait();
  });
}

/// The additional memory of items that pass through ten stages.
double bytesOfStream() {
  constexpr long items = 10'000'000;
  return mostBytes(items, [](const auto& f) {
    const auto next = [](long x) { return x + 1; };
    const auto isAny = [](long x) { return x >= 0; };
    Stream<long>::from(std::views::iota(0L, 2 * items))
        .map(next)
        .filter(isAny)
        .map(next)
        .drop(1)
        .scan(0L, [](long, long x) { return x; })
        .takeWhile(isAny)
        .map(next)
        .filter(isAny)
        .map(next)
        .take(items)
        .forEach([&f](long) { f(); })
        .blockingAwait();
  });
}

Row bytesRow(std::string name, std::function<double()> ours) {
  return {.name = std::move(name),
          .unit = "bytes",
          .peer = "budget",
          .target = 1,
          .ours = std::move(ours),
          .theirs = [] { return 65'536.0; },
          .repetitions = 5};
}

}  // namespace

std::vector<Row> rows() {
  return {
      {.name = "maps5_malloc",
       .unit = "ns/run",
       .peer = "malloc",
       .target = 2.5,
       .ours = runFiveMaps,
       .theirs = mallocAndFree,
       .fault = nodesOfFiveMaps},
      {.name = "suspended_run_bytes",
       .unit = "bytes",
       .peer = "budget",
       .target = 1,
       .ours = bytesOfSuspendedRun,
       .theirs = [] { return 300.0; },
       .repetitions = 5},
      {.name = "sleeping_run_bytes",
       .unit = "bytes",
       .peer = "budget",
       .target = 1,
       .ours = bytesOfSleepingRun,
       .theirs = [] { return 600.0; },
       .repetitions = 5},
      bytesRow("traverse_void_bytes", bytesOfTraverse),
      bytesRow("for_each_bytes", bytesOfForEach),
      bytesRow("spawn_bytes", bytesOfChildren),
      bytesRow("stream_bytes", bytesOfStream),
  };
}

}  // namespace tapestry::benchmarks
