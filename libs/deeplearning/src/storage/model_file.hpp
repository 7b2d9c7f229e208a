// Defines ModelFile, a file whose names have been compared with the names of a model, and the functions that
// read the data of weights and of their optimizers' states from it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <variant>
#include <vector>

#include <tapestry/deeplearning/detail/elements.hpp>
#include <tapestry/deeplearning/storage/array_map.hpp>
#include <tapestry/deeplearning/storage/load.hpp>
#include <tapestry/deeplearning/storage/named_arrays.hpp>
#include <tapestry/deeplearning/weights.hpp>
#include <tapestry/tensor/tensor.hpp>

namespace tapestry {

constexpr std::string_view optimizerPrefix = "optimizer/";

/// The prefix of the names of all parts of the weight's optimizer state.
inline std::string prefixOfState(std::string_view weight) {
  return std::string(optimizerPrefix).append(weight).append("/");
}

/// Calls f(name, weight) for each weight, under its first name, and with its type.
void forEachWeight(const Weights& weights, const auto& f) {
  std::unordered_set<const void*> seen;
  for (const auto& named : weights)
    std::visit(
        [&](const auto& weight) {
          if (seen.insert(weight.node().get()).second) f(named.name, weight);
        },
        named.weight);
}

/// The shape of the data of a weight whose type is known.
Shape shapeOfWeight(const auto& weight) {
  const Shape* known = weight.node()->knownShape();
  return known ? *known : Shape();
}

/// Every failure throws FileError.
class ModelFile {
 public:
  /// `path` is named in errors. Throws unless the file has the model's weights and no others and, with
  /// optimizers, no state but theirs.
  ModelFile(std::filesystem::path path, NamedArrays file, const Weights& weights, LoadOptions options);

  /// Whether the file has the state of optimizers, and it is to be loaded.
  bool hasStates() const noexcept { return hasStates_; }

  /// Whether all numbers that are read from the file must be finite.
  bool mustBeFinite() const noexcept { return options_.finite; }

  /// Returns the names of the parts of a weight's optimizer state in the file, in alphabetical order.
  std::vector<std::string> partsOf(const std::string& weight) const;

  /// Returns an array that the file has.
  const NamedArray& operator[](const std::string& name) const { return file_.arrays.find(name)->second; }

  [[noreturn]] void fail(const std::string& problem) const;

 private:
  void checkWeights(const Weights& weights) const;
  void checkStates(const Weights& weights) const;

  std::filesystem::path path_;
  NamedArrays file_;
  LoadOptions options_;
  bool hasStates_;
};

/// Returns the names as messages show them.
std::string textOf(const std::vector<std::string>& names);

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

/// Returns the arrays under the names of the weights, and the file's other arrays as they are. Throws
/// FileError, which names the weight and the array, for an array that is missing or has another form.
NamedArrays mappedArrays(const std::filesystem::path& path, NamedArrays file, const Weights& weights,
                         const ArrayMap& map);

}  // namespace tapestry
