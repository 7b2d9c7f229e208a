// Defines countPass, which counts the work and the tensors of the passes of a program, and PassCounts, its
// result.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "tapestry/deeplearning/observed.hpp"
#include "tapestry/tensor/buffer_pool.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

struct PassCounts {
  std::size_t forwards = 0;   ///< data of layers that were computed
  std::size_t backwards = 0;  ///< deltas of layers that flowed to operands
  std::size_t steps = 0;      ///< steps of weights

  // The numbers of tensor buffers and of their bytes beyond those that existed before: the maximum at any
  // event, and the numbers at the end, including the result's. Buffers of other programs that run meanwhile
  // count as well.
  std::size_t mostTensors = 0;
  std::size_t mostBytes = 0;
  std::size_t leftTensors = 0;
  std::size_t leftBytes = 0;
};

namespace detail {

class PassCounter final : public PassObserver {
 public:
  void observe(Event event, std::string_view name, const void* node) noexcept override;
  PassCounts counts() const noexcept;

 private:
  const std::size_t buffersBefore_ = BufferPool::liveBuffers();
  const std::size_t bytesBefore_ = BufferPool::liveBytes();
  std::atomic<std::size_t> forwards_{0};
  std::atomic<std::size_t> backwards_{0};
  std::atomic<std::size_t> steps_{0};
  std::atomic<std::size_t> mostTensors_{0};
  std::atomic<std::size_t> mostBytes_{0};
};

}  // namespace detail

/// Yields the program's value with the counts of all its passes. Meant for tests and measurements: costs
/// O(threads) for each event.
template <class A>
[[nodiscard]] auto countPass(const Do<A>& program) {
  if constexpr (std::is_void_v<A>)
    return countPass(program.map([] { return Unit{}; })).map([](const std::pair<Unit, PassCounts>& counted) {
      return counted.second;
    });
  else
    return Do<std::pair<A, PassCounts>>::suspend([program] {
      const auto counter = std::make_shared<detail::PassCounter>();
      return observed(program, counter).map([counter](const A& value) {
        return std::pair(value, counter->counts());
      });
    });
}

void countPass(...) = delete;  // expected a Do, such as train(loss)

}  // namespace tapestry
#pragma GCC visibility pop
