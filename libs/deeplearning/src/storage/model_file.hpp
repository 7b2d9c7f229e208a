// Defines ModelFile, a file whose names have been compared with the names of a model.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <tapestry/deeplearning/storage/load.hpp>
#include <tapestry/deeplearning/storage/named_arrays.hpp>
#include <tapestry/deeplearning/weights.hpp>

namespace tapestry {

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

}  // namespace tapestry
