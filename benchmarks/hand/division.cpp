#include "hand/division.hpp"

#if TAPESTRY_HAS_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace tapestry::benchmarks::hand {

bool hasDivisions() noexcept { return TAPESTRY_HAS_TBB; }

#if TAPESTRY_HAS_TBB

void runDivided(Division division, const std::function<void()>& function) {
  if (division == Division::none) return function();
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 2);
  static tbb::task_arena arena(2);
  arena.execute(function);
}

void forEach(bool parallel, std::size_t count, const std::function<void(std::size_t)>& function) {
  if (parallel) return tbb::parallel_for(std::size_t{0}, count, function, tbb::simple_partitioner());
  for (std::size_t i = 0; i < count; ++i) function(i);
}

#else

void runDivided(Division, const std::function<void()>& function) { function(); }

void forEach(bool, std::size_t count, const std::function<void(std::size_t)>& function) {
  for (std::size_t i = 0; i < count; ++i) function(i);
}

#endif

}  // namespace tapestry::benchmarks::hand
