#include "tapestry/deeplearning/count_pass.hpp"

namespace tapestry::detail {

namespace {

std::size_t over(std::size_t before, std::size_t now) noexcept { return now > before ? now - before : 0; }

void raise(std::atomic<std::size_t>& most, std::size_t value) noexcept {
  std::size_t seen = most;
  while (seen < value && !most.compare_exchange_weak(seen, value)) {
  }
}

}  // namespace

void PassCounter::observe(Event event, std::string_view, const void*) noexcept {
  forwards_ += event == Event::forward;
  backwards_ += event == Event::backward;
  steps_ += event == Event::step;
  raise(mostTensors_, over(buffersBefore_, BufferPool::liveBuffers()));
  raise(mostBytes_, over(bytesBefore_, BufferPool::liveBytes()));
}

PassCounts PassCounter::counts() const noexcept {
  return {.forwards = forwards_,
          .backwards = backwards_,
          .steps = steps_,
          .mostTensors = mostTensors_,
          .mostBytes = mostBytes_,
          .leftTensors = over(buffersBefore_, BufferPool::liveBuffers()),
          .leftBytes = over(bytesBefore_, BufferPool::liveBytes())};
}

}  // namespace tapestry::detail
