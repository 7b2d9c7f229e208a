#include "model_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include <tapestry/tensor/storage/file_error.hpp>
#include <tapestry/tensor/storage/shape_in_file.hpp>

namespace tapestry {

namespace {

using Names = std::vector<std::string>;

std::set<std::string> namesOf(const NamedArrays& file) {
  std::set<std::string> names;
  for (const auto& [name, array] : file.arrays) names.insert(name);
  return names;
}

bool isOfState(const std::string& name) { return name.starts_with(optimizerPrefix); }

}  // namespace

std::string textOf(const Names& names) {
  constexpr std::size_t shown = 8;
  if (names.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    text += (i > 0 ? ", " : "") + excerpt(names[i]);
  return names.size() > shown ? text + " and " + std::to_string(names.size() - shown) + " more" : text;
}

ModelFile::ModelFile(std::filesystem::path path, NamedArrays file, const Weights& weights,
                     LoadOptions options)
    : path_(std::move(path)), file_(std::move(file)), options_(options) {
  checkWeights(weights);
  hasStates_ = options.optimizers && std::ranges::any_of(namesOf(file_), isOfState);
  if (hasStates_) checkStates(weights);
}

Names ModelFile::partsOf(const std::string& weight) const {
  const auto prefix = prefixOfState(weight);
  Names parts;
  for (auto entry = file_.arrays.lower_bound(prefix);
       entry != file_.arrays.end() && entry->first.starts_with(prefix); ++entry)
    if (auto part = entry->first.substr(prefix.size()); part.find('/') == std::string::npos)
      parts.push_back(std::move(part));
  return parts;
}

void ModelFile::fail(const std::string& problem) const { throw FileError("load", path_, problem); }

void ModelFile::checkWeights(const Weights& weights) const {
  auto unknown = namesOf(file_);
  std::erase_if(unknown, isOfState);
  Names missing;
  forEachWeight(weights, [&](const std::string& name, const auto&) {
    if (unknown.erase(name) == 0) missing.push_back(name);
  });
  const auto surplus = textOf(Names(unknown.begin(), unknown.end()));
  if (!missing.empty())
    fail("weights are missing, got " + surplus + " besides the model's, expected " + textOf(missing));
  if (!unknown.empty())
    fail("weights that the model does not have, got " + surplus + ", expected none besides the model's");
}

void ModelFile::checkStates(const Weights& weights) const {
  auto unknown = namesOf(file_);
  forEachWeight(weights, [&](const std::string& name, const auto& weight) {
    if (weight.node()->name() == "runningAverage") return;  // it has no optimizer
    for (const auto& part : partsOf(name)) unknown.erase(prefixOfState(name) + part);
  });
  const auto found = std::ranges::find_if(unknown, isOfState);
  if (found != unknown.end())
    fail("the state of no optimizer, got " + excerpt(*found) + ", expected optimizer/WEIGHT/PART");
}

std::string formOf(const NamedArray& array) {
  return std::visit(
      []<class X>(const X& typed) {
        if constexpr (std::same_as<X, Integers>)
          return "I64 " + toString(typed.shape);
        else
          return formOf<typename X::Value>(typed.shape());
      },
      array);
}

template <class T>
void requireFiniteElements(const ModelFile& file, const std::string& name, const Tensor<T>& tensor) {
  const auto values = tensor.values();
  const auto found = std::ranges::find_if(values, [](T value) { return !std::isfinite(value); });
  if (found != values.end())
    file.fail("\"" + name + "\": not finite, got " + std::to_string(*found) + " as element " +
              std::to_string(found - values.begin()) + " of " + toString(tensor.shape()) +
              ", expected finite numbers (or load with {.finite = false})");
}

template void requireFiniteElements(const ModelFile&, const std::string&, const Tensor<float>&);
template void requireFiniteElements(const ModelFile&, const std::string&, const Tensor<double>&);

void readPart(double& part, const ModelFile& file, const std::string& name, const Shape&) {
  part = dataOf<double>(file, name, {});
}

void readPart(std::uint64_t& part, const ModelFile& file, const std::string& name, const Shape&) {
  const auto* found = std::get_if<Integers>(&file[name]);
  const bool single = found && found->shape == Shape{} && found->values.size() == 1;
  if (!single || found->values[0] < 0)
    file.fail("\"" + name + "\": no count, got " +
              (single ? std::to_string(found->values[0]) : formOf(file[name])) +
              ", expected I64 [] of at least 0");
  part = static_cast<std::uint64_t>(found->values[0]);
}

}  // namespace tapestry
