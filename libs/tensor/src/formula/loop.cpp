#include <tapestry/tensor/formula/loop.hpp>

#include <hwy/targets.h>

namespace tapestry::formula::detail {

InstructionSet instructionSet() noexcept {
  static const auto targets = hwy::SupportedTargets();
  if (targets & HWY_AVX3) return InstructionSet::avx512;
  return targets & HWY_AVX2 ? InstructionSet::avx2 : InstructionSet::baseline;
}

}  // namespace tapestry::formula::detail
