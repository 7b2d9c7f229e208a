// Defines DeviceExpression, a value of a device that is stored, or known by what it is computed from.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tapestry/tensor/shape.hpp>

#include "device/state.hpp"
#include "expression/index_map.hpp"

namespace tapestry::detail {

/// A function of up to six elements, as an expression of C in which %0 to %5 are the operands.
struct DeviceFunction {
  std::string name;
  std::string pattern;
  std::function<double(const double* operands)> onHost;  ///< the same, for constants
  std::string definition;  ///< of a function of C that the pattern calls; may be empty
};

enum class Reduction : std::uint8_t { sum, max, min };

/// Which rows of a tensor [outer, extent, inner] make a tensor [outer, count, inner].
struct RowChoice {
  BufferRef indices;  ///< `count` numbers of rows, each a 32-bit integer
  std::uint32_t extent;
  std::uint32_t count;
  std::uint32_t inner;
};

struct DeviceExpression;
using ExpressionRef = std::shared_ptr<DeviceExpression>;

/// Fixed when made, but for the change from computed to stored, which happens once and under the device's
/// lock. Without the lock, only what never changes may be read, and the kind and the weight.
struct DeviceExpression : std::enable_shared_from_this<DeviceExpression> {
  enum class Kind : std::uint8_t {
    stored,
    constant,
    random,
    dropped,
    counter,
    applied,
    view,
    gathered,
    reduced
  };
  static constexpr std::size_t maxOperands = 6;
  /// The most expressions that become one kernel.
  static constexpr std::uint32_t maxWeight = 48;

  std::atomic<Kind> kind = Kind::constant;
  bool isDouble = false;
  Reduction reduction = Reduction::sum;   ///< of Kind::reduced
  std::atomic<std::uint32_t> weight = 1;  ///< how many expressions are to be computed, this one included
  std::uint64_t mark = 0;                 ///< the number of the last traversal that has reached it
  std::uint32_t step = 0;                 ///< scratch of the plan that is being made
  std::bitset<Shape::maxRank> axes;       ///< of Kind::reduced
  Shape shape;
  std::shared_ptr<DeviceState> device;       ///< may be null for a constant
  const DeviceFunction* function = nullptr;  ///< of Kind::applied
  std::array<ExpressionRef, maxOperands> operands;
  double constant = 0;            ///< of Kind::constant; what Kind::dropped leaves
  std::uint64_t seed = 0;         ///< of Kind::random and Kind::dropped
  std::uint64_t threshold = 0;    ///< of Kind::dropped: draws of 32 bits below it become 0
  std::optional<IndexMap> map;    ///< of Kind::view
  std::optional<RowChoice> rows;  ///< of Kind::gathered
  BufferRef buffer;               ///< of Kind::stored

  bool isStored() const noexcept { return kind == Kind::stored; }
  /// Whether a view is all of what it views, in order.
  bool isWhole() const noexcept { return map->isIdentity() && operands[0]->shape.size() == shape.size(); }
  /// Whether an element may be computed from the operand's element at another index, or elements of the
  /// operand are left out, so that the expression's kernel does not compute all of the operand.
  bool readsElsewhere() const noexcept {
    return kind == Kind::gathered || (kind == Kind::view && !isWhole());
  }
  /// How many expressions and handles own it.
  long owners() const noexcept { return weak_from_this().use_count(); }
  std::size_t bytes() const noexcept { return shape.size() * (isDouble ? sizeof(double) : sizeof(float)); }

  static ExpressionRef constantOf(bool isDouble, const Shape& shape, double value,
                                  std::shared_ptr<DeviceState> device = nullptr);
  static ExpressionRef storedIn(bool isDouble, const Shape& shape, BufferRef buffer,
                                std::shared_ptr<DeviceState> device);

  /// Becomes stored; under the device's lock.
  void becomeStored(BufferRef stored) noexcept;
};

}  // namespace tapestry::detail
