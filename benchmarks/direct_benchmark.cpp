// What blocks of direct style cost, on fibers and in coroutines: each block, and each await.
#include <benchmark/benchmark.h>

#include <optional>
#include <utility>

#include "tapestry/continuation/async.hpp"
#include "tapestry/continuation/direct/direct.hpp"
#include "tapestry/continuation/shift.hpp"
#include "tapestry/raii/coroutine/coroutine.hpp"
#include "tapestry/raii/direct/direct.hpp"
#include "tapestry/raii/scoped.hpp"

namespace {

using namespace tapestry;

/// Runs a block that calls the body again and again, and reports the time of one call.
template <template <class> class M, class Body>
void measure(benchmark::State& state, const Body& body) {
  constexpr int batch = 1000;
  const auto program = direct<M>([&] {
    for (int i = 0; i < batch; ++i) body();
  });
  for (auto _ : state) program.blockingAwait();
  state.SetItemsProcessed(state.iterations() * batch);
}

void createAndRunBlock(benchmark::State& state) {
  measure<UnitContinuation>(state, [block = direct<UnitContinuation>([] { return 1; })] { !block; });
}
BENCHMARK(createAndRunBlock);

void awaitNow(benchmark::State& state) {
  measure<UnitContinuation>(state, [] { benchmark::DoNotOptimize(!now(1)); });
}
BENCHMARK(awaitNow);

void awaitErasedNow(benchmark::State& state) {
  measure<UnitContinuation>(
      state, [program = UnitContinuation<int>(now(1))] { benchmark::DoNotOptimize(!program); });
}
BENCHMARK(awaitErasedNow);

void awaitPost(benchmark::State& state) {
  measure<UnitContinuation>(state, [] { !shift(Executor::inlined()); });
}
BENCHMARK(awaitPost);

/// The block is left with its thread, and entered again by a callback.
void awaitCallback(benchmark::State& state) {
  std::optional<Callback<void>> waiting;
  bool done = false;
  bool last = false;
  const auto leaf = async<void>([&](Callback<void> callback) { waiting = std::move(callback); });
  direct<UnitContinuation>([&] {
    while (!last) !leaf;
  }).onComplete([&](const Outcome<void>&) { done = true; });
  const auto callBack = [&] { (*std::exchange(waiting, std::nullopt))(); };
  for (auto _ : state) callBack();
  last = true;
  callBack();
  if (!done) state.SkipWithError("the block has not ended");
}
BENCHMARK(awaitCallback);

void awaitDo(benchmark::State& state) {
  measure<Do>(state, [program = Do<int>::now(1)] { benchmark::DoNotOptimize(!program); });
}
BENCHMARK(awaitDo);

void awaitResource(benchmark::State& state) {
  measure<Do>(state, [program = scoped([] { return 1; })] { benchmark::DoNotOptimize(!program); });
}
BENCHMARK(awaitResource);

/// As measure, in a coroutine.
template <template <class> class M, class Body>
void measureCoroutine(benchmark::State& state, const Body& body) {
  constexpr int batch = 1000;
  const auto program = direct<M>([&]() -> Coroutine<void> {
    for (int i = 0; i < batch; ++i) co_await body();
  });
  for (auto _ : state) program.blockingAwait();
  state.SetItemsProcessed(state.iterations() * batch);
}

void createAndRunCoroutine(benchmark::State& state) {
  measureCoroutine<UnitContinuation>(
      state, [block = direct<UnitContinuation>([]() -> Coroutine<int> { co_return 1; })] { return block; });
}
BENCHMARK(createAndRunCoroutine);

void callCoroutine(benchmark::State& state) {
  measureCoroutine<UnitContinuation>(state, []() -> Coroutine<int> { co_return 1; });
}
BENCHMARK(callCoroutine);

void coroutineAwaitsNow(benchmark::State& state) {
  measureCoroutine<UnitContinuation>(state, [] { return now(1); });
}
BENCHMARK(coroutineAwaitsNow);

void coroutineAwaitsErasedNow(benchmark::State& state) {
  measureCoroutine<UnitContinuation>(state, [program = UnitContinuation<int>(now(1))] { return program; });
}
BENCHMARK(coroutineAwaitsErasedNow);

void coroutineAwaitsDo(benchmark::State& state) {
  measureCoroutine<Do>(state, [program = Do<int>::now(1)] { return program; });
}
BENCHMARK(coroutineAwaitsDo);

}  // namespace
