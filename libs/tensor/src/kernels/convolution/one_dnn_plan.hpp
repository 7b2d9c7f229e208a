// Defines OneDnnPlan, a primitive of oneDNN that computes a row-major array from two others.
#pragma once

#include <optional>
#include <unordered_map>

#include "kernels/one_dnn_library.hpp"

namespace tapestry::kernels {

/// The engine for this machine's processor.
const dnnl::engine& oneDnnEngine();

/// A primitive whose scratch memory comes from our pool, so that a step can run on several threads at once.
class OneDnnStep {
 public:
  /// The attributes with which the primitive's descriptor must be made.
  static dnnl::primitive_attr attributes();

  template <class PrimitiveDescriptor>
  explicit OneDnnStep(const PrimitiveDescriptor& descriptor)
      : primitive_(descriptor.get()), scratchpad_(descriptor.scratchpad_desc()) {}

  void run(const dnnl::stream& stream, std::unordered_map<int, dnnl::memory> arguments) const;

 private:
  dnnl::primitive primitive_;
  dnnl::memory::desc scratchpad_;
};

/// An argument of a primitive: its format at the caller and the format that the primitive wants.
struct OneDnnOperand {
  int argument;
  dnnl::memory::desc plain;
  dnnl::memory::desc wanted;
};

/// An operand with the reorder that it needs, if any.
struct OneDnnArgument {
  OneDnnOperand operand;
  std::optional<OneDnnStep> reorder;
};

/// The primitive and the reorders that it needs. Immutable: may run on several threads at once.
class OneDnnPlan {
 public:
  template <class PrimitiveDescriptor>
  OneDnnPlan(const PrimitiveDescriptor& primitive, const OneDnnOperand& first, const OneDnnOperand& second,
             const OneDnnOperand& result)
      : OneDnnPlan(OneDnnStep(primitive), first, second, result) {}

  void run(const float* first, const float* second, float* result) const;

 private:
  OneDnnPlan(OneDnnStep primitive, const OneDnnOperand& first, const OneDnnOperand& second,
             const OneDnnOperand& result);

  OneDnnStep primitive_;
  OneDnnArgument first_;
  OneDnnArgument second_;
  OneDnnArgument result_;
};

}  // namespace tapestry::kernels
