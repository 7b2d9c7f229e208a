// Defines NamedArrays, the contents of a file in the safetensors format.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "tapestry/tensor/shape.hpp"
#include "tapestry/tensor/tensor.hpp"

#pragma GCC visibility push(default)
namespace tapestry {

/// Whole numbers in row-major order; their number is the size of the shape.
struct Integers {
  Shape shape;
  std::vector<std::int64_t> values;

  friend bool operator==(const Integers&, const Integers&) = default;
};

/// An array of such a file, which is without its name.
using NamedArray = std::variant<Tensor<float>, Tensor<double>, Integers>;

/// Texts about the arrays, by name.
using Notes = std::map<std::string, std::string, std::less<>>;

struct NamedArrays {
  std::map<std::string, NamedArray, std::less<>> arrays;
  Notes metadata;
};

}  // namespace tapestry
#pragma GCC visibility pop
