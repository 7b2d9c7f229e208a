// Defines dataOf and readParts, which read data of a weight and its optimizer's state from a model's file.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <tapestry/deeplearning/detail/value.hpp>
#include <tapestry/tensor/tensor.hpp>

#include "model_file.hpp"
#include "model_names.hpp"

namespace tapestry {

/// The type and the shape of an array, as messages show them.
std::string formOf(const NamedArray& array);
template <class T>
std::string formOf(const Shape& shape) {
  return (sizeof(T) == 4 ? "F32 " : "F64 ") + toString(shape);
}

/// Fails unless all elements are finite.
template <class T>
void requireFiniteElements(const ModelFile& file, const std::string& name, const Tensor<T>& tensor);

/// Returns the array of that name; fails unless it has the type of Data and the shape.
template <class Data>
Data dataOf(const ModelFile& file, const std::string& name, const Shape& shape) {
  using T = detail::ElementOf<Data>;
  const auto* found = std::get_if<Tensor<T>>(&file[name]);
  if (!found || found->shape() != shape)
    file.fail("\"" + name + "\": another type or shape, got " + formOf(file[name]) + ", expected " +
              formOf<T>(shape));
  if (file.mustBeFinite()) requireFiniteElements(file, name, *found);
  if constexpr (std::floating_point<Data>)
    return found->item();
  else
    return Data(*found);
}

// A part of an optimizer's state has one of three types. A part that does not exist yet has the shape [0] in
// the file.

template <class Data>
void readPart(std::optional<Data>& part, const ModelFile& file, const std::string& name, const Shape& shape) {
  const auto* found = std::get_if<Tensor<detail::ElementOf<Data>>>(&file[name]);
  if (found && found->shape() == Shape{0} && shape != Shape{0})
    part.reset();
  else
    part = dataOf<Data>(file, name, shape);
}

void readPart(double& part, const ModelFile& file, const std::string& name, const Shape& shape);
void readPart(std::uint64_t& part, const ModelFile& file, const std::string& name, const Shape& shape);

/// Reads the parts of the state of a weight's optimizer.
template <class Data>
void readParts(detail::StateParts<Data>& parts, const ModelFile& file, const std::string& name,
               const Shape& shape) {
  std::vector<std::string> own;
  for (const auto& [part, value] : parts) own.push_back(part);
  std::ranges::sort(own);
  if (const auto saved = file.partsOf(name); saved != own)
    file.fail("\"" + name + "\": the optimizer is of another kind, got one that keeps " + textOf(saved) +
              ", expected one that keeps " + textOf(own) +
              " (or load with {.optimizers = false}, which reads the weights alone)");
  for (auto& [part, value] : parts)
    std::visit([&](auto& typed) { readPart(typed, file, prefixOfState(name) + part, shape); }, value);
}

}  // namespace tapestry
