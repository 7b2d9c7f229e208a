// Defines NodeDetails, what is known of a node of a network: its kind, shape, value and attributes.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <span>  // the concepts of ranges, without the views
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tapestry/tensor/axes.hpp"
#include "tapestry/tensor/indices.hpp"
#include "tapestry/tensor/shape.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry::extend {

/// A setting of an operation. Lists of axes are as the user wrote them: negative axes count from the last. A
/// class, whose functions are compiled once and not in each program.
class Attribute : public std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                      Indices, Tensor<float>, Tensor<double>> {
 public:
  Attribute(bool value) noexcept;
  Attribute(int value) noexcept;
  Attribute(std::int64_t value) noexcept;
  /// Precondition: an std::int64_t can hold the value.
  template <std::integral Integer>
  Attribute(Integer value) noexcept : Attribute(static_cast<std::int64_t>(value)) {}
  Attribute(double value) noexcept;
  Attribute(const char* value);
  Attribute(std::string value) noexcept;
  Attribute(std::vector<std::int64_t> value) noexcept;
  Attribute(Indices value);
  Attribute(Tensor<float> value);
  Attribute(Tensor<double> value);
  Attribute(const Attribute&);
  Attribute(Attribute&&) noexcept;
  Attribute& operator=(const Attribute&);
  Attribute& operator=(Attribute&&) noexcept;
  ~Attribute();
};

/// In the order in which the operation lists them. An operation, or its rule for shapes, states them by a
/// function `Attributes attributes() const`.
class Attributes : public std::vector<std::pair<std::string, Attribute>> {
 public:
  Attributes() noexcept;
  Attributes(std::initializer_list<value_type> attributes);
  Attributes(const Attributes&);
  Attributes(Attributes&&) noexcept;
  Attributes& operator=(const Attributes&);
  Attributes& operator=(Attributes&&) noexcept;
  ~Attributes();
};

/// Returns a list of numbers as an attribute.
template <std::ranges::input_range Range>
  requires std::is_arithmetic_v<std::ranges::range_value_t<Range>>
std::vector<std::int64_t> integersOf(const Range& numbers) {
  std::vector<std::int64_t> integers;
  for (const auto& number : numbers) integers.push_back(static_cast<std::int64_t>(number));
  return integers;
}

/// Returns chosen axes as an attribute: a list, or "all".
inline Attribute attributeOf(const Axes& axes) {
  return axes.areAll() ? Attribute(std::string("all")) : Attribute(integersOf(axes.listed()));
}

/// The data of a scalar or of a tensor of the host; none for data of other types.
using NodeValue = std::variant<std::monostate, double, float, Tensor<double>, Tensor<float>>;

/// What a node is, which decides what is known of it.
enum class NodeKind {
  literal,
  weight,
  average,    ///< a running average
  operation,  ///< also "parts", a tuple or a range of nodes
  program,    ///< a layer that is made while a pass runs: by `flatMap`, `tuple2` or `direct`
};

/// What is known of a node, before a pass or in it.
struct NodeDetails {
  NodeKind kind = NodeKind::operation;
  std::optional<Shape> shape;    ///< of the data, [] for scalars; none if it is not known before a pass runs
  std::size_t elementBytes = 0;  ///< the size of an element of the data; 0 if it is not known
  NodeValue value;               ///< of literals and weights; in a pass, of each node that is computed
  Attributes attributes;         ///< the settings of an operation
  std::vector<std::optional<Shape>> operands;    ///< the shapes of the operands
  std::optional<std::uint64_t> multiplications;  ///< of the forward of a product or a convolution
  std::source_location place;                    ///< of a program: where the layer was made; else of line 0
};

}  // namespace tapestry::extend
#pragma GCC visibility pop
