// What Boost.Context's public fiber costs beside the jump that it is made of, which
// libs/continuation/src/direct uses.
#include <benchmark/benchmark.h>

#include <boost/context/detail/fcontext.hpp>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <memory>
#include <utility>

namespace {

namespace context = boost::context;
using context::detail::jump_fcontext;
using context::detail::make_fcontext;

constexpr std::size_t stackBytes = std::size_t{128} * 1024;
alignas(64) char stack[stackBytes];

/// The stack is the benchmark's own.
struct NoAllocator {
  context::stack_context allocate() { return {}; }
  void deallocate(context::stack_context&) noexcept {}
};

template <class F>
context::fiber fiberOn(F function) {
  context::stack_context where;
  where.size = stackBytes;
  where.sp = stack + stackBytes;
  return {std::allocator_arg, context::preallocated(where.sp, where.size, where), NoAllocator(),
          std::move(function)};
}

void startAndEndByJumps(benchmark::State& state) {
  constexpr auto main = [](context::detail::transfer_t from) { jump_fcontext(from.fctx, nullptr); };
  for (auto _ : state)
    benchmark::DoNotOptimize(jump_fcontext(make_fcontext(stack + stackBytes, stackBytes, main), nullptr));
}
BENCHMARK(startAndEndByJumps);

void startAndEndFiber(benchmark::State& state) {
  for (auto _ : state) {
    auto fiber = fiberOn([](context::fiber&& caller) { return std::move(caller); });
    benchmark::DoNotOptimize(fiber = std::move(fiber).resume());
  }
}
BENCHMARK(startAndEndFiber);

void thereAndBackByJumps(benchmark::State& state) {
  constexpr auto main = [](context::detail::transfer_t from) {
    for (;;) from = jump_fcontext(from.fctx, nullptr);
  };
  auto there = make_fcontext(stack + stackBytes, stackBytes, main);
  for (auto _ : state) there = jump_fcontext(there, nullptr).fctx;
}
BENCHMARK(thereAndBackByJumps);

void thereAndBackByFiber(benchmark::State& state) {
  bool last = false;
  auto there = fiberOn([&last](context::fiber&& caller) {
    while (!last) caller = std::move(caller).resume();
    return std::move(caller);
  });
  for (auto _ : state) there = std::move(there).resume();
  last = true;
  there = std::move(there).resume();
}
BENCHMARK(thereAndBackByFiber);

}  // namespace
