// Defines KernelPlan, the steps by which one kernel computes the elements of expressions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "expression/expression.hpp"

namespace tapestry::detail {

/// A step computes a number, or an index from another index.
struct KernelStep {
  enum class Kind : std::uint8_t { index, chosen, load, constant, random, dropped, counter, apply };
  static constexpr std::uint16_t root = 0xffff;  ///< the index that the kernel gives each element

  Kind kind;
  std::uint8_t count = 0;       ///< the operands of apply, the axes of index
  std::uint16_t at = root;      ///< the index that all but constant and apply start from
  std::uint16_t parameter = 0;  ///< the first of the step's parameters
  std::uint32_t axes = 0;       ///< of index: two bits for each axis, and whether there is an offset
  std::array<std::uint16_t, DeviceExpression::maxOperands>
      operands{};  ///< of chosen, one: its rows' parameter
  const DeviceFunction* function = nullptr;
};

/// What a kernel does, in an order in which each step uses earlier ones. `structure` is equal for kernels of
/// equal source. One plan after the other can be made in the same memory.
class KernelPlan {
 public:
  struct Output {
    DeviceExpression* expression;
    std::uint16_t step;
  };

  /// Plans the kernel that computes the root. The kernel stores the root, unless `isReduced`: then it reduces
  /// or moves the root's elements, and stores the root only if the root is applied and has other owners.
  /// Precondition: each reduction that the root depends on, or is, has been stored.
  void make(DeviceExpression& root, bool isReduced);
  /// Forgets everything but its memory.
  void clear() noexcept;

  /// Adds a step that makes an index of the map from the root's index, and returns its number.
  std::uint16_t placeOf(const IndexMap& map) { return indexOf(map, KernelStep::root); }

  const std::vector<KernelStep>& steps() const noexcept { return steps_; }
  /// The root, if it is to be stored, and all applied expressions that other owners may need, which are
  /// computed on the way.
  const std::vector<Output>& outputs() const noexcept { return outputs_; }
  std::uint16_t rootStep() const noexcept { return rootStep_; }
  const std::string& structure() const noexcept { return structure_; }
  /// Adds what else the source depends on.
  const std::string& structure(char more) {
    structure_ += more;
    return structure_;
  }
  bool isDouble() const noexcept { return isDouble_; }
  /// Whether neighbouring elements of the result need neighbouring elements of all operands.
  bool isFlat() const noexcept { return isFlat_; }

  std::vector<extend::KernelArgument>& arguments() noexcept { return arguments_; }
  /// A letter for each argument: b buffer of numbers, i of integers, n number, u index, s seed.
  const std::string& argumentKinds() const noexcept { return kinds_; }
  const std::vector<BufferRef>& reads() const noexcept { return reads_; }

 private:
  struct Visited {
    DeviceExpression* expression;
    std::uint16_t at;
    std::uint16_t step;
  };

  void forgetVisited() noexcept;
  std::uint16_t visit(DeviceExpression& expression, std::uint16_t at);
  std::uint16_t makeStep(DeviceExpression& expression, std::uint16_t at);
  std::uint16_t indexOf(const IndexMap& map, std::uint16_t at);
  std::uint16_t chosenOf(const RowChoice& rows, std::uint16_t at);
  std::uint16_t bufferOf(const BufferRef& buffer, char kind = 'b');
  std::uint16_t add(const KernelStep& step);
  void addArgument(char kind, extend::KernelArgument argument);
  void addNumber(double number);
  void addDraws(KernelStep& step, const DeviceExpression& expression);
  void findOutputs(DeviceExpression& root, bool isReduced);

  bool isDouble_ = false;
  bool isFlat_ = true;
  std::uint16_t rootStep_ = 0;
  std::vector<KernelStep> steps_;
  std::vector<extend::KernelArgument> arguments_;
  std::string kinds_;
  std::string structure_;
  std::vector<BufferRef> reads_;
  std::vector<std::uint16_t> readParameters_;
  std::vector<Visited> visited_;
  struct Applied {
    DeviceExpression* expression;
    std::uint16_t step;
    long uses;  ///< by other expressions of the kernel
  };
  std::vector<Applied> applied_;  ///< at the root's index
  std::vector<Output> outputs_;
};

}  // namespace tapestry::detail
