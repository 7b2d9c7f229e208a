// Defines ThreadPlan, the plan of a kernel in memory that the thread keeps.
#pragma once

#include <memory>
#include <vector>

#include "kernel/plan.hpp"

namespace tapestry::detail {

/// The plan of one kernel, and the buffers that it writes. A plan of a thread ends before its next begins.
class ThreadPlan {
 public:
  ThreadPlan(DeviceExpression& root, bool isReduced) : most_(root.device->properties().parameterBytes) {
    try {
      kept().plan.make(root, isReduced);
    } catch (...) {
      kept().plan.clear();
      throw;
    }
  }
  ThreadPlan(const ThreadPlan&) = delete;
  ThreadPlan& operator=(const ThreadPlan&) = delete;
  ~ThreadPlan() {
    kept().plan.clear();
    kept().outputs.clear();
  }

  KernelPlan& plan() noexcept { return kept().plan; }
  std::vector<BufferRef>& outputs() noexcept { return kept().outputs; }

  /// Whether the device takes the arguments of the kernel, with `more` besides those of the plan.
  bool fits(std::size_t more) noexcept {
    constexpr std::size_t bytes = 8;  // of each argument, with what aligns the next
    return (plan().arguments().size() + plan().outputs().size() + more) * bytes <= most_;
  }

  /// Makes buffers for the outputs of the plan, as further arguments.
  void makeOutputs(const std::shared_ptr<DeviceState>& device) {
    for (const KernelPlan::Output& output : plan().outputs()) {
      outputs().push_back(std::make_shared<DeviceBuffer>(device, output.expression->bytes()));
      plan().arguments().emplace_back(outputs().back()->memory());
    }
  }

  /// The expressions that the kernel computes are stored in their buffers from now on.
  void storeOutputs() noexcept {
    for (std::size_t i = 0; i < plan().outputs().size(); ++i)
      plan().outputs()[i].expression->becomeStored(outputs()[i]);
  }

 private:
  struct Kept {
    KernelPlan plan;
    std::vector<BufferRef> outputs;
  };
  static Kept& kept() noexcept {
    static thread_local Kept all;
    return all;
  }

  const std::size_t most_;
};

}  // namespace tapestry::detail
